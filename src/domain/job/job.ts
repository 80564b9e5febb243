import { day } from '../durations.ts'
import { type LeadStatus, leadStatuses } from '../lead/lead-status.ts'
import type { Permission } from '../operator/permissions.ts'
import type { OutcomeCounts } from './job-lead-outcome.ts'

/** The actions that a job can run on its leads. No job settles deliveries: an operator settles each one separately. */
export const bulkActions = ['retry', 'release', 'erase'] as const

export type BulkAction = (typeof bulkActions)[number]

export const isBulkAction = (text: string): text is BulkAction =>
  bulkActions.some((action) => action === text)

export const permissionByAction = {
  retry: 'retry deliveries',
  release: 'release leads',
  erase: 'erase leads',
} as const satisfies Readonly<Record<BulkAction, Permission>>

/** The statuses of the leads that an action can change. A lead that retention erased still has its consent's IP address. */
export const statusesByAction: Readonly<Record<BulkAction, readonly LeadStatus[]>> = {
  retry: ['pending', 'rejected', 'dead', 'do-not-contact'],
  release: ['quarantined'],
  erase: leadStatuses,
}

/**
 * `planning`: the job lists its leads and runs the action on each as a dry run. `gathering`: the job lists its leads
 * without a dry run, because it starts at once.
 */
export type JobPhase = 'planning' | 'planned' | 'gathering' | 'running' | 'ended'

export interface JobPlan {
  readonly leads: number
  readonly byOutcome: OutcomeCounts
}

export type JobState = Exclude<JobPhase, 'ended'> | 'paused' | 'canceled' | 'done'

/** Times are epoch milliseconds. */
interface JobStateColumns {
  readonly phase: JobPhase
  readonly pausedAt: number | null
  readonly cancelledAt: number | null
}

export function toJobState({ phase, pausedAt, cancelledAt }: JobStateColumns): JobState {
  if (phase === 'ended') return cancelledAt === null ? 'done' : 'canceled'
  return pausedAt === null ? phase : 'paused'
}

/**
 * The age, in milliseconds, above which a page warns before a job acts: a person who enquired a month ago may have
 * enrolled elsewhere.
 */
export const recentLeadsMs = 30 * day

/** The most unfinished jobs of one operator: more than an operator watches, and fewer than a script makes. */
export const maxUnfinishedJobs = 20

/** How long the list of a job's leads is kept after the job ends, in milliseconds. The job's report stays. */
export const jobLeadsRetentionMs = 30 * day

/** How long a plan may wait for its start, in milliseconds. After a week, a plan no longer predicts the result. */
export const planRetentionMs = 7 * day

/** The default leads per second: a distributor that just recovered must not receive all retried leads at once. */
export const defaultLeadsPerSecond = 200
export const maxLeadsPerSecond = 1000

/** @returns undefined if the text is not a whole number from 1 to {@link maxLeadsPerSecond} */
export function parseLeadsPerSecond(text: string): number | undefined {
  const rate = /^\s*\d{1,4}\s*$/.test(text) ? Number(text) : 0
  return rate >= 1 && rate <= maxLeadsPerSecond ? rate : undefined
}

export const findJobProgress = ({ done, members }: { done: number; members: number }): number =>
  members === 0 ? 0 : done / members

/** The name of each bulk action, with a sentence about what the action does to the leads. */
export const actionLabels: Readonly<
  Record<BulkAction, { readonly name: string; readonly effect: string }>
> = {
  retry: {
    name: 'Retry',
    effect:
      'Makes the deliveries due now and starts their retry schedules again. Earlier attempts stay on record.',
  },
  release: {
    name: 'Release',
    effect: 'Releases the leads from quarantine. Workers then send each lead that is no duplicate.',
  },
  erase: {
    name: 'Erase',
    effect: 'Permanently erases names, phone numbers, and street, email and IP addresses.',
  },
}
