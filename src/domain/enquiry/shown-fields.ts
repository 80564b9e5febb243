import type { Field } from './answers.ts'
import type { Enquiry } from './enquiry.ts'
import { steps } from './steps.ts'

/** The fields that the visitor sees: those of the step, without city and state while these are the address check's. */
export function shownFields({
  step,
  addressCheck,
}: Pick<Enquiry, 'step' | 'addressCheck'>): readonly Field[] {
  const { fields = [] } = steps[step] ?? {}
  const isCheck = (field: Field) => field === 'city' || field === 'state'
  return addressCheck.by === 'hand' ? fields : fields.filter((field) => !isCheck(field))
}
