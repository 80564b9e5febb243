import { aboutYou } from './about-you.ts'
import { address } from './address.ts'
import type { Answers } from './answers.ts'
import { education } from './education.ts'
import { program } from './program.ts'
import { type Facts, hasErrors, type Step, stepErrors } from './step.ts'

/** The order of the steps: it stands here only. */
export const steps: readonly Step[] = [aboutYou, address, education, program]

/** Total steps is 4 (ruling 1). */
export const totalSteps = steps.length

/** The steps 0 to 4 of section 4. */
export type StepNumber = 0 | 1 | 2 | 3 | 4

/** The thank-you screen's number (section 4). */
export const thankYouStep: StepNumber = 4

/** The first step that still needs an answer, so that nobody can skip ahead; {@link thankYouStep} when none does. */
export function firstUnanswered(answers: Answers, facts: Facts): StepNumber {
  const index = steps.findIndex((step) => hasErrors(stepErrors(step, answers, facts)))
  return (index === -1 ? thankYouStep : index) as StepNumber
}
