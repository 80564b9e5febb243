import type { ShownLead } from '../lead/shown-lead.ts'

export interface ShownSuspect {
  readonly view: ShownLead
  readonly against: readonly string[]
  readonly for: readonly string[]
  /** The place of this one. */
  readonly place: string
}
