import type { LeadStatus } from '../lead/lead-status.ts'
import type { Action } from '../operator/rights.ts'
import type { Counts, MemberOutcome, OutcomeCounts } from './member-outcome.ts'

/** The actions that an operator can run on many leads. Settling is missing: it needs one statement about each lead. */
export const operatorActions = ['retry', 'release', 'erase'] as const

/** The action that a job runs on each of its leads. `purge` erases what is older than its retention period. */
export const bulkActions = [...operatorActions, 'purge'] as const

export type OperatorAction = (typeof operatorActions)[number]
export type BulkAction = (typeof bulkActions)[number]

export const isBulkAction = (text: string): text is BulkAction =>
  bulkActions.some((action) => action === text)

export const isOperatorAction = (text: string): text is OperatorAction =>
  operatorActions.some((action) => action === text)

/** An operator needs the same right for many leads as for one. */
export const rightFor = {
  retry: 'retry deliveries',
  release: 'release leads',
  erase: 'erase leads',
  purge: 'erase leads',
} as const satisfies Readonly<Record<BulkAction, Action>>

/**
 * `planning`: the job's leads are being written down and each is tried without effect. `gathering`: the same for a job that
 * starts at once, without trying.
 */
export type JobPhase = 'planning' | 'planned' | 'gathering' | 'running' | 'ended'

/** The result of a job's dry run. */
export interface JobPlan {
  readonly leads: number
  readonly byStatus: Counts<LeadStatus>
  readonly byOutcome: OutcomeCounts
  /** Leads received before then are planned, in epoch milliseconds; undefined once all are. */
  readonly countedUntil: number | undefined
}

/** One action on all leads of a filter. Times are epoch milliseconds. */
export interface Job {
  readonly id: string
  readonly action: BulkAction
  /** The filter as in the address of the leads list; of a purge `days=<retention period>`. */
  readonly query: string
  /** Whether its leads were found by a search for a person; the person's name is not stored. */
  readonly isOfSearch: boolean
  /** The operator who started it, or planned it before the start: an email address, or the system's user. */
  readonly who: string
  readonly phase: JobPhase
  readonly plannedAt: number
  readonly plan: JobPlan
  readonly reason: string | null
  /** At most so many leads per second. */
  readonly rate: number
  readonly startedAt: number | null
  /** Leads written down so far. */
  readonly members: number
  readonly done: number
  /** Results of those that are done. */
  readonly report: OutcomeCounts
  /** Since when it has been running without a break, and how many were done then. */
  readonly runningSince: number | null
  readonly runningFrom: number
  readonly pausedAt: number | null
  readonly cancelledAt: number | null
  readonly endedAt: number | null
  /** Set once the list of its leads is deleted: see {@link membersKeptFor}. */
  readonly membersRemovedAt: number | null
}

/** A job's result for one lead. */
export interface JobAct {
  readonly jobId: string
  readonly at: number
  readonly who: string
  readonly action: BulkAction
  readonly reason: string | null
  readonly outcome: MemberOutcome
}

export type JobState = Exclude<JobPhase, 'ended'> | 'paused' | 'cancelled' | 'done'

export function jobState({
  phase,
  pausedAt,
  cancelledAt,
}: Pick<Job, 'phase' | 'pausedAt' | 'cancelledAt'>): JobState {
  if (phase === 'ended') return cancelledAt === null ? 'done' : 'cancelled'
  return pausedAt === null ? phase : 'paused'
}

const day = 24 * 60 * 60 * 1000

/** How long the list of a job's leads is kept after its end; the report stays. */
export const membersKeptFor = 30 * day

/** After a week a plan that nobody started no longer says what would happen. */
export const plansKeptFor = 7 * day

/** Plans of one operator that are not started; a new one removes the oldest. */
export const maxPlans = 20

/** Leads per second: retried leads are due at once, and a distributor that just came back should not get all together. */
export const defaultRate = 200
export const maxRate = 1000

/** @returns undefined if the text is not a whole number from 1 to {@link maxRate} */
export function parseRate(text: string): number | undefined {
  const rate = /^\s*\d{1,4}\s*$/.test(text) ? Number(text) : 0
  return rate >= 1 && rate <= maxRate ? rate : undefined
}

export interface Progress {
  /** From 0 to 1. */
  readonly share: number
  /** Leads per second since it last began to run; undefined until there is enough to measure. */
  readonly speed: number | undefined
  readonly msLeft: number | undefined
}

/** An earlier figure would be a guess. In milliseconds. */
const measuredAfter = 2000

/** @param now epoch milliseconds */
export function progressOf(job: Job, now: number): Progress {
  const share = job.members === 0 ? 0 : job.done / job.members
  const ms = job.runningSince === null ? 0 : now - job.runningSince
  const done = job.done - job.runningFrom
  if (job.phase !== 'running' || job.pausedAt !== null || ms < measuredAfter || done <= 0) {
    return { share, speed: undefined, msLeft: undefined }
  }
  const speed = (done * 1000) / ms
  return { share, speed, msLeft: ((job.members - job.done) * 1000) / speed }
}
