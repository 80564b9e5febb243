import type { Step } from './step.ts'

/** The order of the steps: it stands here only (section 4). */
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
    id: 'education',
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

/** Total steps is 4 (ruling 1). */
export const totalSteps = steps.length

/** The steps 0 to 4 of section 4. */
export type StepNumber = 0 | 1 | 2 | 3 | 4

/** The thank-you screen's number (section 4). */
export const thankYouStep: StepNumber = 4
