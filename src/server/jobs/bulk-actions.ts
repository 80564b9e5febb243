import { sql, type Transaction } from 'kysely'
import type { BulkAction } from '#domain/job/job.ts'
import { countBy, type JobLeadOutcome, type OutcomeCounts } from '#domain/job/job-lead-outcome.ts'
import type { RetentionLimits } from '#domain/lead/retention.ts'
import { retryLeads } from '#server/delivery/retry-deliveries.ts'
import { eraseOnRequest } from '#server/leads/erase-person.ts'
import { purgeLeads } from '#server/leads/purge-expired-leads.ts'
import { releaseLead } from '#server/leads/release-leads.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { classifyError } from '#server/platform/faults/sanitize-error.ts'

type Store = Transaction<StoreTables>

export interface JobLeadResult {
  readonly outcome: JobLeadOutcome
  /** The id of the lead that is sent instead, or the error's code if the action failed. */
  readonly detail: string | null
}

interface Slice {
  readonly leadIds: readonly string[]
  /** Epoch milliseconds. */
  readonly now: number
  readonly limits?: RetentionLimits | undefined
}

type Results = ReadonlyMap<string, JobLeadResult>

/**
 * Acts on each of the leads, in the caller's transaction. If the action fails for a lead, the lead keeps its state and
 * is reported as failed. @throws if the database itself fails
 */
export const runAction = (store: Store, action: BulkAction, slice: Slice): Promise<Results> =>
  runTogetherOrSingly(store, action, slice, 'keep')

/** Acts on each of the leads, counts the outcomes and rolls everything back. */
export async function dryRunAction(
  store: Store,
  action: BulkAction,
  slice: Slice,
): Promise<OutcomeCounts> {
  const results = await runTogetherOrSingly(store, action, slice, 'roll back')
  return countBy(results.values(), ({ outcome }) => outcome)
}

/** Acts on all leads together and, after a failure, one at a time, so that a bad lead does not affect the others. */
async function runTogetherOrSingly(
  store: Store,
  action: BulkAction,
  slice: Slice,
  mode: 'keep' | 'roll back',
): Promise<Results> {
  const { leadIds } = slice
  if (leadIds.length === 0) return new Map()
  await sql`savepoint attempt`.execute(store)
  try {
    const results = await actions[action](store, slice)
    if (mode === 'roll back') await sql`rollback to savepoint attempt`.execute(store)
    await sql`release savepoint attempt`.execute(store)
    return results
  } catch (error) {
    const code = classifyError(error)
    if (code === undefined) throw error
    await sql`rollback to savepoint attempt`.execute(store)
    await sql`release savepoint attempt`.execute(store)
    if (leadIds.length === 1) {
      return new Map(leadIds.map((id) => [id, { outcome: 'failed', detail: code }]))
    }
  }
  const results = new Map<string, JobLeadResult>()
  for (const id of leadIds) {
    const one = await runTogetherOrSingly(store, action, { ...slice, leadIds: [id] }, mode)
    for (const [lead, result] of one) results.set(lead, result)
  }
  return results
}

const actions: Readonly<Record<BulkAction, (store: Store, slice: Slice) => Promise<Results>>> = {
  retry: async (store, { leadIds, now }) => {
    const outcomes = await retryLeads(store, leadIds, now)
    return new Map(
      [...outcomes].map(([id, outcome]) => {
        const { kind } = outcome
        const detail = kind === 'overtaken' ? outcome.by : kind === 'duplicate' ? outcome.of : null
        return [id, { outcome: kind, detail }]
      }),
    )
  },
  release: async (store, { leadIds, now }) => {
    const results = new Map<string, JobLeadResult>()
    for (const id of leadIds) {
      const released = await releaseLead(store, id, now)
      results.set(
        id,
        released.kind === 'duplicate'
          ? { outcome: 'released, owes none', detail: released.of }
          : { outcome: released.kind, detail: null },
      )
    }
    return results
  },
  erase: async (store, { leadIds, now }) => {
    const { endings } = await eraseOnRequest(store, leadIds, now)
    return new Map(
      leadIds.map((id) => {
        const ending = endings.get(id)
        return [
          id,
          { outcome: ending === undefined ? 'erased' : erasureOutcomes[ending], detail: null },
        ]
      }),
    )
  },
  purge: async (store, { leadIds: ids, now, limits }) => {
    if (limits === undefined) throw new Error('A purge needs retention limits.')
    const purged = await purgeLeads(store, { ids, limits, now })
    return new Map(ids.map((id) => [id, { outcome: purged.get(id) ?? 'still owed', detail: null }]))
  },
}

const erasureOutcomes = {
  stopped: 'erased now',
  'not open': 'erased now',
  underWay: 'erased under way',
  delivered: 'erased after delivery',
} as const
