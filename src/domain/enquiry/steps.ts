import { answerDefinitions, type Field, fields, type StepId } from './answers.ts'
import type { Enquiry, StepNumber } from './enquiry.ts'

/** One step of the form and its fields. The browser loads the rules of the answers later (rules.ts). */
export interface Step {
  readonly id: StepId
  /** The specification's name of the step. */
  readonly title: string
  readonly question: string
  readonly fields: readonly Field[]
}

const makeStep = (id: StepId, title: string, question: string): Step => ({
  id,
  title,
  question,
  fields: fields.filter((field) => answerDefinitions[field].step === id),
})

export const steps: readonly Step[] = [
  makeStep('about-you', 'Primary Information', 'How can the school reach you?'),
  makeStep('address', 'Address Information', 'Where do you live?'),
  makeStep('your-education', 'Education Information', 'What have you studied?'),
  makeStep('program', 'Desired Program', 'What would you like to study?'),
]

/** Returns the label of a step that visitors see, such as `Step 1 of 4` for step 0 (reading 1). */
export const formatStepLabel = (step: number): string => `Step ${step + 1} of ${steps.length}`

export const thankYouStep: StepNumber = 4

/** Lists the fields of the step that the form shows: city and state only if the visitor enters them. */
export function listVisibleFields({
  step,
  addressCheck,
}: Pick<Enquiry, 'step' | 'addressCheck'>): readonly Field[] {
  const { fields = [] } = steps[step] ?? {}
  return addressCheck.by === 'hand'
    ? fields
    : fields.filter((field) => field !== 'city' && field !== 'state')
}
