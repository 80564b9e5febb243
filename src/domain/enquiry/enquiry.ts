import {
  type Answers,
  answerDefinitions,
  emptyAnswers,
  type Field,
  fields,
  type StepId,
} from './answers.ts'

/** Where the city and state in the answers come from. */
export interface CityAndStateOrigin {
  /** The key of the street and ZIP that city and state belong to (`makeAddressKey`); empty before the first check. */
  readonly checkedFor: string
  readonly by: 'nobody' | 'check' | 'hand'
  /** The ZIP+4 that the address check found, kept beside the typed ZIP (reading 12); empty if the check found none. */
  readonly zipPlus4: string
}

export const uncheckedAddress: CityAndStateOrigin = {
  checkedFor: '',
  by: 'nobody',
  zipPlus4: '',
}

/** The number of a step in the specification and in the page's events. Visitors see the text of `formatStepLabel`. */
export type StepNumber = 0 | 1 | 2 | 3 | 4

export interface Enquiry {
  readonly step: StepNumber
  readonly answers: Answers
  readonly addressCheck: CityAndStateOrigin
  /** The Idempotency-Key, one UUID per enquiry; empty until the form needs it. */
  readonly key: string
  /** The phone number and email address that the form has asked about; empty before the question. */
  readonly questionedContact: string
  /** When the first answer reached the server, in epoch milliseconds; undefined unless the browser posted the form. */
  readonly startedAt?: number | undefined
  /** The id of the visit, if the browser posted the form without JavaScript: see `src/domain/measuring/visit.ts`. */
  readonly visit?: string | undefined
  /** The text in the honeypot field, if the browser posted the form without JavaScript. */
  readonly honeypot?: string | undefined
}

export const emptyEnquiry: Enquiry = {
  step: 0,
  answers: emptyAnswers,
  addressCheck: uncheckedAddress,
  key: '',
  questionedContact: '',
}

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
