import { noEducationLevel } from '../catalogue/catalogue.ts'

/**
 * What a visitor has typed or chosen so far, by control name, as text: the same in the browser's form, in a posted
 * form and in the tab's storage. Names are those of the form's controls.
 */
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
