import { sql, type Transaction } from 'kysely'
import type { BulkAction } from '#domain/job/job.ts'
import type { JobLeadOutcome } from '#domain/job/job-lead-outcome.ts'
import { retryLeads } from '#server/delivery/change-deliveries.ts'
import { findListedLeads } from '#server/leads/do-not-contact.ts'
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
  /** When the job was planned. Times are epoch milliseconds. */
  readonly plannedAt: number
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
  tx: StoreTransaction,
  action: BulkAction,
  batch: Batch,
): Promise<Results> {
  const { leadIds } = batch
  if (leadIds.length === 0) return new Map()
  await sql`savepoint attempt`.execute(tx)
  try {
    const results = await actionRunners[action](tx, batch)
    if (batch.isDryRun) await sql`rollback to savepoint attempt`.execute(tx)
    await sql`release savepoint attempt`.execute(tx)
    return results
  } catch (error) {
    const code = classifyItemError(error)
    if (code === undefined) throw error
    await sql`rollback to savepoint attempt`.execute(tx)
    await sql`release savepoint attempt`.execute(tx)
    if (leadIds.length === 1) {
      return new Map(leadIds.map((id) => [id, { outcome: 'failed', detail: code }]))
    }
  }
  const results = new Map<string, LeadResult>()
  for (const id of leadIds) {
    const one = await runBulkAction(tx, action, { ...batch, leadIds: [id] })
    for (const [lead, result] of one) results.set(lead, result)
  }
  return results
}

const actionRunners: Readonly<
  Record<BulkAction, (tx: StoreTransaction, batch: Batch) => Promise<Results>>
> = {
  retry: async (tx, { leadIds, plannedAt, now }) => {
    const settled = new Set(await findRejectedByHandSince(tx, leadIds, plannedAt))
    const others = leadIds.filter((id) => !settled.has(id))
    const results = new Map<string, LeadResult>()
    for (const id of settled) results.set(id, { outcome: 'settled since', detail: null })
    for (const [id, outcome] of await retryLeads(tx, others, now)) {
      const { kind } = outcome
      const detail = kind === 'overtaken' ? outcome.by : kind === 'duplicate' ? outcome.of : null
      results.set(id, { outcome: kind, detail })
    }
    return results
  },
  release: async (tx, { leadIds, now }) => {
    const results = new Map<string, LeadResult>()
    // Only an operator who looks at the one lead may decide to send it.
    const quarantined = await tx
      .selectFrom('lead_index')
      .select('lead_id')
      .where('lead_id', 'in', leadIds)
      .where('status', '=', 'quarantined')
      .execute()
    const listed = await findListedLeads(
      tx,
      quarantined.map(({ lead_id }) => lead_id),
    )
    for (const id of listed) results.set(id, { outcome: 'asked not to be contacted', detail: null })
    for (const id of leadIds.filter((one) => !listed.has(one))) {
      const released = await releaseLead(tx, id, now)
      results.set(
        id,
        released.kind === 'duplicate'
          ? { outcome: 'released, owes none', detail: released.of }
          : { outcome: released.kind, detail: null },
      )
    }
    return results
  },
  erase: async (tx, { leadIds, now }) => {
    const { endings } = await eraseLeadsOnRequest(tx, leadIds, now)
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

/**
 * Finds the leads that an operator has settled as rejected since `plannedAt`. Whoever planned the job did not know that
 * the distributor has decided on these leads. No retry changes a lead that is settled as delivered.
 */
async function findRejectedByHandSince(
  tx: StoreTransaction,
  leadIds: readonly string[],
  plannedAt: number,
): Promise<readonly string[]> {
  const rows = await tx
    .selectFrom('deliveries')
    .select('lead_id as id')
    .where('lead_id', 'in', leadIds)
    .where('settled_as', '=', 'rejected')
    .where('settled_by_hand_at', '>=', plannedAt)
    .whereRef('settled_at', '=', 'settled_by_hand_at')
    .execute()
  return rows.map(({ id }) => id)
}

const erasureOutcomes = {
  stopped: 'erased now',
  'not open': 'erased now',
  underWay: 'erased under way',
  delivered: 'erased after delivery',
} as const
