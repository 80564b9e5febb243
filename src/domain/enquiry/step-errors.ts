import * as v from 'valibot'
import { aboutYouRules } from './about-you-rules.ts'
import { addressRules } from './address-rules.ts'
import type { Answers, FieldErrors } from './answers.ts'
import { educationRules } from './education-rules.ts'
import { programRules } from './program-rules.ts'
import type { Facts, Rules } from './rules.ts'
import type { Step, StepId } from './step.ts'

const rules: Record<StepId, Rules> = {
  'about-you': aboutYouRules,
  address: addressRules,
  education: educationRules,
  program: programRules,
}

/** The first message for each field of the step that needs one. Empty when the step is answered. */
export function stepErrors({ id }: Step, answers: Answers, facts: Facts): FieldErrors {
  const errors: Partial<Record<string, string>> = {}
  for (const issue of v.safeParse(rules[id](facts), answers).issues ?? []) {
    const field = v.getDotPath(issue)
    if (field !== null) errors[field] ??= issue.message
  }
  return errors
}
