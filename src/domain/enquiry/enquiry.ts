import { type StepNumber, steps } from './steps.ts'

/** The visitor's answers so far, as text by control name: in the browser's form, in a posted form, in the tab's storage. */
export interface Answers {
  readonly firstName: string
  readonly lastName: string
  readonly phone: string
  readonly email: string
  readonly address: string
  readonly zip: string
  readonly city: string
  readonly state: string
  readonly previousEducation: string
  readonly graduatingYear: string
  readonly desiredProgram: string
  readonly startDate: string
  /** `on` when the consent box is ticked. */
  readonly confirmation: string
}

export type Field = keyof Answers

/** The education level before the visitor chooses one (section 5). Here, as a fresh form loads without the catalogue. */
export const noEducationLevel = -1

export const noAnswers: Answers = {
  firstName: '',
  lastName: '',
  phone: '',
  email: '',
  address: '',
  zip: '',
  city: '',
  state: '',
  previousEducation: String(noEducationLevel),
  graduatingYear: '',
  desiredProgram: '',
  startDate: '',
  confirmation: '',
}

export const fields = Object.keys(noAnswers) as readonly Field[]

/** One message a field, for those that need one. */
export type FieldErrors = Readonly<Partial<Record<Field, string>>>

export const hasErrors = (errors: FieldErrors): boolean => Object.keys(errors).length > 0

/** How the city and state of the answers came about. */
export interface AddressCheckState {
  /** The street and ZIP that city and state belong to; empty before the first check. */
  readonly checkedFor: string
  readonly by: 'nobody' | 'check' | 'hand'
  /** The ZIP+4 that the check found, kept beside the ZIP that the visitor typed (reading 12); empty where it found none. */
  readonly zipPlus4: string
  /** The state that the ZIP lookup has for the ZIP, where the visitor enters city and state; empty where it has none. */
  readonly zipState: string
  /** The typed state, once the visitor has been told that it is not the ZIP's; empty before. */
  readonly toldState: string
}

export const uncheckedAddress: AddressCheckState = {
  checkedFor: '',
  by: 'nobody',
  zipPlus4: '',
  zipState: '',
  toldState: '',
}

/** A visitor's way through the form so far. */
export interface Enquiry {
  readonly step: StepNumber
  readonly answers: Answers
  readonly addressCheck: AddressCheckState
  /** The Idempotency-Key: a UUID made once per enquiry; empty until it is first needed. */
  readonly key: string
  /** The phone and email that were asked about; empty before. */
  readonly askedAbout: string
  /** When the server first saw an answer, in epoch milliseconds; where the form is posted and it is known. */
  readonly startedAt?: number | undefined
  /** The content of the posted form's field that people do not see. */
  readonly honeypot?: string | undefined
}

export const newEnquiry: Enquiry = {
  step: 0,
  answers: noAnswers,
  addressCheck: uncheckedAddress,
  key: '',
  askedAbout: '',
}

/** The fields that the visitor sees: those of the step, without city and state while these are the address check's. */
export function shownFields({
  step,
  addressCheck,
}: Pick<Enquiry, 'step' | 'addressCheck'>): readonly Field[] {
  const { fields = [] } = steps[step] ?? {}
  const isCheck = (field: Field) => field === 'city' || field === 'state'
  return addressCheck.by === 'hand' ? fields : fields.filter((field) => !isCheck(field))
}
