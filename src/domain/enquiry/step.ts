import * as v from 'valibot'
import type { Answers, Field, FieldErrors } from './answers.ts'

/** What the rules need to know that the answers do not say. */
export interface Facts {
  readonly currentYear: number
  /** Whether a program id, as text, may be chosen. */
  readonly isOffered: (programId: string) => boolean
}

/** One question of the enquiry. */
export interface Step {
  readonly id: 'about-you' | 'address' | 'education' | 'program'
  /** The specification's name of the step (section 4). */
  readonly title: string
  readonly fields: readonly Field[]
  readonly schema: (facts: Facts) => v.GenericSchema<unknown, Partial<Answers>>
}

export type StepId = Step['id']

/** The first message for each field of the step that needs one. Empty when the step is answered. */
export function stepErrors(step: Step, answers: Answers, facts: Facts): FieldErrors {
  const errors: Partial<Record<string, string>> = {}
  for (const issue of v.safeParse(step.schema(facts), answers).issues ?? []) {
    const field = v.getDotPath(issue)
    if (field !== null) errors[field] ??= issue.message
  }
  return errors
}

export const hasErrors = (errors: FieldErrors): boolean => Object.keys(errors).length > 0
