import type { Kysely, Selectable } from 'kysely'
import { bulkActions, type Job, type JobPlan } from '#domain/job/job.ts'
import type { OutcomeCounts } from '#domain/job/job-lead-outcome.ts'
import { findRetentionLimits, type RetentionLimits } from '#domain/lead/retention.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

type Row = Selectable<StoreTables['jobs']>

export const emptyPlan: JobPlan = {
  leads: 0,
  byOutcome: {},
}

export const parsePlan = ({ plan }: Pick<Row, 'plan'>): JobPlan => ({
  ...emptyPlan,
  ...JSON.parse(plan),
})

export const parseReport = ({ report }: Pick<Row, 'report'>): OutcomeCounts => JSON.parse(report)

/** The keyed hashes of the job's search for a person; undefined without a search. */
export const parseSearchKeys = ({ search_keys: keys }: Pick<Row, 'search_keys'>) =>
  keys === null ? undefined : (JSON.parse(keys) as readonly string[])

/** The retention limits of a purge, from its query `days=<retention period>`. */
export const findPurgeLimits = ({
  action,
  query,
  planned_at,
}: Pick<Row, 'action' | 'query' | 'planned_at'>): RetentionLimits | undefined =>
  action === 'purge'
    ? findRetentionLimits(planned_at, Number(query.replace('days=', '')))
    : undefined

/** Selects all jobs except those of a later release, which may run beside this release during an upgrade. */
export const selectJobs = (db: Kysely<StoreTables>) =>
  db
    .selectFrom('jobs')
    .leftJoin('operators', 'operators.id', 'jobs.operator_id')
    .where('action', 'in', bulkActions)
    .selectAll('jobs')
    .select('operators.email')

export const toJob = (row: Row & { readonly email: string | null }): Job => ({
  id: row.id,
  action: row.action,
  query: row.query,
  isOfSearch: row.is_of_search === 1,
  who: row.email ?? row.system_user ?? '',
  phase: row.phase,
  plannedAt: row.planned_at,
  plan: parsePlan(row),
  reason: row.reason,
  rate: row.rate,
  startedAt: row.started_at,
  members: row.members,
  done: row.done,
  report: parseReport(row),
  pausedAt: row.paused_at,
  cancelledAt: row.cancelled_at,
  endedAt: row.ended_at,
  membersRemovedAt: row.members_removed_at,
})
