import type * as v from 'valibot'
import type { Answers } from '../answers.ts'

/** What the rules need to know that the answers do not say. */
export interface Facts {
  readonly currentYear: number
  /** Whether a program id, as text, may be chosen. */
  readonly isOffered: (programId: string) => boolean
}

/** A step's rules: each field's, with its message. */
export type Rules = (facts: Facts) => v.GenericSchema<unknown, Partial<Answers>>
