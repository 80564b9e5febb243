import type { Enquiry, Field, StepNumber } from './enquiry.ts'

/** One step of the form and its fields. The browser loads the rules of the steps later (rules.ts). */
export interface Step {
  readonly id: 'about-you' | 'address' | 'your-education' | 'program'
  /** The specification's name of the step. */
  readonly title: string
  readonly question: string
  readonly fields: readonly Field[]
}

export type StepId = Step['id']

export const steps: readonly Step[] = [
  {
    id: 'about-you',
    title: 'Primary Information',
    question: 'How can the school reach you?',
    fields: ['firstName', 'lastName', 'phone', 'email'],
  },
  {
    id: 'address',
    title: 'Address Information',
    question: 'Where do you live?',
    fields: ['address', 'zip', 'city', 'state'],
  },
  {
    id: 'your-education',
    title: 'Education Information',
    question: 'What have you studied?',
    fields: ['previousEducation', 'graduatingYear'],
  },
  {
    id: 'program',
    title: 'Desired Program',
    question: 'What would you like to study?',
    fields: ['desiredProgram', 'startDate', 'confirmation'],
  },
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
