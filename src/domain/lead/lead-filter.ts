import type { Signal } from '../abuse/signals.ts'
import type { Area } from '../area.ts'
import type { AttemptsBand } from './attempts-band.ts'
import type { LeadStatus } from './lead-status.ts'

/** Of a lead that came back with a backup: whether it was delivered since is not known, and it is still owed. */
export const restoredStandings = ['in-doubt'] as const

export type RestoredStanding = (typeof restoredStandings)[number]

/** Which leads are meant: those that have, of each part that says anything, one of what it says. */
export interface LeadFilter {
  readonly status: readonly LeadStatus[]
  readonly area: readonly Area[]
  /** Programs' ids. */
  readonly program: readonly number[]
  /** As the visitors came with it. */
  readonly affiliate: readonly string[]
  /** Two letters. */
  readonly state: readonly string[]
  readonly signal: readonly Signal[]
  /** How the last attempt failed: see `errorKey`. */
  readonly error: readonly string[]
  /** Whether the address was found; what of an erased lead is not known is neither. */
  readonly verified: readonly boolean[]
  readonly attempts: readonly AttemptsBand[]
  readonly restored: readonly RestoredStanding[]
  /** Epoch milliseconds: received then or later, and before then. */
  readonly since: number | undefined
  readonly until: number | undefined
}

export const everyLead: LeadFilter = {
  status: [],
  area: [],
  program: [],
  affiliate: [],
  state: [],
  signal: [],
  error: [],
  verified: [],
  attempts: [],
  restored: [],
  since: undefined,
  until: undefined,
}
