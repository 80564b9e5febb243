import { type Answers, hasErrors } from './answers.ts'
import type { Facts } from './rules/rules.ts'
import { stepErrors } from './rules/step-errors.ts'
import { type StepNumber, steps, thankYouStep } from './steps.ts'
import { tidyAnswers } from './tidy-answers.ts'

/** The first step that still needs an answer, so that nobody can skip ahead; {@link thankYouStep} when none does. */
export function firstUnanswered(answers: Answers, facts: Facts): StepNumber {
  const tidy = tidyAnswers(answers)
  const index = steps.findIndex((step) => hasErrors(stepErrors(step, tidy, facts)))
  return index === -1 ? thankYouStep : (index as StepNumber)
}
