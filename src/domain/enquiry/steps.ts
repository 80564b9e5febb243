import type { Step } from './step.ts'

/** The order of the steps: it stands here only. */
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

/** As the specification and its events number them; visitors read {@link stepInWords}. */
export type StepNumber = 0 | 1 | 2 | 3 | 4

/** As the visitor reads it: `Step 1 of 4` on step 0 (reading 1). */
export const stepInWords = (step: number): string => `Step ${step + 1} of ${steps.length}`

/** The thank-you screen's number. */
export const thankYouStep: StepNumber = 4
