import type { LeadStatus } from '../lead/lead-status.ts'
import type { BulkAction } from './bulk-action.ts'
import type { Counts, OutcomeCounts } from './counts.ts'

/** What is at hand next. `gathering`: which leads are meant is being written down. */
export type JobPhase = 'planning' | 'planned' | 'gathering' | 'running' | 'ended'

/** What a job would do, counted before anything is done. */
export interface JobPlan {
  readonly leads: number
  readonly byStatus: Counts<LeadStatus>
  readonly byOutcome: OutcomeCounts
  /** Those received before it are counted, in epoch milliseconds; undefined where all are. */
  readonly countedUntil: number | undefined
}

/** One act on all leads that a filter means. Times are epoch milliseconds. */
export interface Job {
  readonly id: string
  readonly action: BulkAction
  /** The filter as in the address of the leads. */
  readonly query: string
  /** Whether it is about a person who was searched for, who is not named. */
  readonly isOfSearch: boolean
  /** Who started it; before, who planned it: an email, or the system's user. */
  readonly who: string
  readonly phase: JobPhase
  readonly plannedAt: number
  readonly plan: JobPlan
  readonly reason: string | null
  /** Leads a second, at most. */
  readonly rate: number
  readonly startedAt: number | null
  /** How many it is about, as far as they are gathered. */
  readonly members: number
  readonly done: number
  /** What came of those that are done. */
  readonly report: OutcomeCounts
  /** Since when it runs without a break, and how many were done then. */
  readonly runningSince: number | null
  readonly runningFrom: number
  readonly pausedAt: number | null
  readonly cancelledAt: number | null
  readonly endedAt: number | null
  /** Which leads they were is not known any more: see {@link membersKeptFor}. */
  readonly membersRemovedAt: number | null
}

export type JobStanding = Exclude<JobPhase, 'ended'> | 'paused' | 'cancelled' | 'done'

export function standingOf({
  phase,
  pausedAt,
  cancelledAt,
}: Pick<Job, 'phase' | 'pausedAt' | 'cancelledAt'>): JobStanding {
  if (phase === 'ended') return cancelledAt === null ? 'done' : 'cancelled'
  return pausedAt === null ? phase : 'paused'
}

const day = 24 * 60 * 60 * 1000

/** Which leads a job was about is kept for so long after its end; the report stays. */
export const membersKeptFor = 30 * day

/** A plan that nobody starts is of a state that is long over. */
export const plansKeptFor = 7 * day
