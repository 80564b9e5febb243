import type { Kysely } from 'kysely'
import { bulkActions } from '#domain/job/bulk-action.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { HeldJob, JobLease, JobWork, PlanStep } from '../job-store.ts'
import { endJob } from './end-job.ts'
import { foresee } from './foresee.ts'
import { readKeys, readPlan } from './job-row.ts'
import { tidyJobs } from './tidy-jobs.ts'
import { takeJobStep } from './write-job-step.ts'

type Database = Kysely<StoreTables>

export function makeJobWork({ db, run, wipe }: Pick<LeadDatabase, 'db' | 'run' | 'wipe'>): JobWork {
  return {
    claim: (lease, held) => retryConflicts(() => claimJob(db, lease, held)),
    giveBack: async (lease) => {
      await retryConflicts(() =>
        db
          .updateTable('jobs')
          .set({ lease: null, leased_until: null })
          .where('ended_at', 'is', null)
          .where('lease', '=', lease)
          .execute(),
      )
    },
    foresee: (action, leadIds, now) => retryConflicts(() => foresee(db, action, { leadIds, now })),
    writePlan: (step) => retryConflicts(() => writePlan(db, step)),
    gather: async (step) =>
      (await retryConflicts(() => run(takeJobStep, { kind: 'gather', ...step }))) !== undefined,
    act: (step) => retryConflicts(() => run(takeJobStep, { kind: 'act', ...step })),
    end: (ending) => retryConflicts(() => endJob(db, ending)),
    wipe,
    tidy: (before) => retryConflicts(() => tidyJobs(db, before)),
  }
}

const isAtHand = ['planning', 'gathering', 'running'] as const

/** A kind that is not known is a later version's, which runs beside this one while it is rolled out: it does that job. */
const selectClaimable = (db: Database, now: number) =>
  db
    .selectFrom('jobs')
    .select('id')
    .where('ended_at', 'is', null)
    .where('paused_at', 'is', null)
    .where('phase', 'in', isAtHand)
    .where('action', 'in', bulkActions)
    .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', now)]))

/** Of two who ask at once one gets it: the update asks once more. Where nothing is to be had it only reads. */
async function claimJob(
  db: Database,
  { lease, leaseUntil, now }: JobLease,
  held: readonly string[],
): Promise<HeldJob | undefined> {
  const found = await selectClaimable(db, now)
    .$if(held.length > 0, (query) => query.where('id', 'not in', held))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (found === undefined) return undefined
  const row = await db
    .updateTable('jobs')
    .set((eb) => ({
      lease,
      leased_until: leaseUntil,
      running_since: now,
      running_from: eb.ref('done'),
    }))
    .where('id', '=', found.id)
    .where('id', 'in', selectClaimable(db, now))
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { id, action, query, phase, rate, members, done } = row
  return {
    ...{ id, action, query, phase, rate, members, done },
    keys: readKeys(row),
    plan: readPlan(row),
    until: row.started_at ?? row.planned_at,
    reached:
      row.reached_at === null || row.reached_id === null
        ? undefined
        : { receivedAt: row.reached_at, id: row.reached_id },
  }
}

async function writePlan(
  db: Database,
  { jobId, lease, leaseUntil, plan, reached }: PlanStep,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('jobs')
    .set({
      plan: JSON.stringify(plan),
      reached_at: reached?.receivedAt ?? null,
      reached_id: reached?.id ?? null,
      ...(reached === undefined
        ? { phase: 'planned', lease: null, leased_until: null }
        : { leased_until: leaseUntil }),
    })
    .where('id', '=', jobId)
    .where('lease', '=', lease)
    .where('phase', '=', 'planning')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
