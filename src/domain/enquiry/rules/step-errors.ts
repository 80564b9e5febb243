import * as v from 'valibot'
import type { Answers, FieldErrors } from '../answers.ts'
import type { Step, StepId } from '../step.ts'
import { aboutYouRules } from './about-you-rules.ts'
import { addressRules } from './address-rules.ts'
import { programRules } from './program-rules.ts'
import type { Facts, Rules } from './rules.ts'
import { yourEducationRules } from './your-education-rules.ts'

const rules: Record<StepId, Rules> = {
  'about-you': aboutYouRules,
  address: addressRules,
  'your-education': yourEducationRules,
  program: programRules,
}

type BuiltRules = Partial<Record<StepId, ReturnType<Rules>>>
const built = new WeakMap<Facts, BuiltRules>()

/** Building a step's rules takes longer than using them, and a server uses the same for every lead. */
function rulesOf(id: StepId, facts: Facts): ReturnType<Rules> {
  const ofFacts = built.get(facts) ?? {}
  built.set(facts, ofFacts)
  ofFacts[id] ??= rules[id](facts)
  return ofFacts[id]
}

/** The first message for each field of the step that needs one. Empty when the step is answered. */
export function stepErrors({ id }: Step, answers: Answers, facts: Facts): FieldErrors {
  const errors: Partial<Record<string, string>> = {}
  for (const issue of v.safeParse(rulesOf(id, facts), answers).issues ?? []) {
    const field = v.getDotPath(issue)
    if (field !== null) errors[field] ??= issue.message
  }
  return errors
}
