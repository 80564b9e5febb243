import { sql, type Transaction } from 'kysely'
import type { BulkAction } from '#domain/job/job.ts'
import type { JobLeadOutcome } from '#domain/job/job-lead-outcome.ts'
import { retryLeads } from '#server/delivery/change-deliveries.ts'
import { eraseLeadsOnRequest } from '#server/leads/erase-person.ts'
import { releaseLead } from '#server/leads/release-leads.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { classifyItemError } from '#server/platform/faults/sanitize-error.ts'

type StoreTransaction = Transaction<StoreTables>

interface LeadResult {
  readonly outcome: JobLeadOutcome
  /** The id of the lead that is sent instead of this lead, or the error's code if the action failed. */
  readonly detail: string | null
}

interface Batch {
  readonly leadIds: readonly string[]
  /** Epoch milliseconds. */
  readonly now: number
  /** If true, the action is rolled back, and only its results remain. */
  readonly isDryRun?: boolean
}

type Results = ReadonlyMap<string, LeadResult>

/**
 * Acts on all leads of a batch together, in the caller's transaction. If the batch fails, the function acts on one lead
 * at a time: a lead whose action fails keeps its state and is reported as failed, and the other leads are not affected.
 * @throws if the database itself fails
 */
export async function runBulkAction(
  store: StoreTransaction,
  action: BulkAction,
  batch: Batch,
): Promise<Results> {
  const { leadIds } = batch
  if (leadIds.length === 0) return new Map()
  await sql`savepoint attempt`.execute(store)
  try {
    const results = await actionRunners[action](store, batch)
    if (batch.isDryRun) await sql`rollback to savepoint attempt`.execute(store)
    await sql`release savepoint attempt`.execute(store)
    return results
  } catch (error) {
    const code = classifyItemError(error)
    if (code === undefined) throw error
    await sql`rollback to savepoint attempt`.execute(store)
    await sql`release savepoint attempt`.execute(store)
    if (leadIds.length === 1) {
      return new Map(leadIds.map((id) => [id, { outcome: 'failed', detail: code }]))
    }
  }
  const results = new Map<string, LeadResult>()
  for (const id of leadIds) {
    const one = await runBulkAction(store, action, { ...batch, leadIds: [id] })
    for (const [lead, result] of one) results.set(lead, result)
  }
  return results
}

const actionRunners: Readonly<
  Record<BulkAction, (store: StoreTransaction, batch: Batch) => Promise<Results>>
> = {
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
    const results = new Map<string, LeadResult>()
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
    const { endings } = await eraseLeadsOnRequest(store, leadIds, now)
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
}

const erasureOutcomes = {
  stopped: 'erased now',
  'not open': 'erased now',
  underWay: 'erased under way',
  delivered: 'erased after delivery',
} as const
