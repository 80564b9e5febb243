import { randomUUIDv7 } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Lead } from '#domain/lead/lead.ts'
import type {
  ClaimedDelivery,
  DeliveryQueue,
  RecordedAttempt,
} from '#server/use-cases/deliver-leads.ts'
import { attemptDetail } from './attempt-detail.ts'
import { claimDeliveries } from './claim-deliveries.ts'
import { selectLeads, toLead } from './lead-row.ts'
import { retryConflicts } from './retry-conflicts.ts'
import type { StoreTables } from './store-tables.ts'

/** @param canSkipLocked whether several connections claim at once and can pass over each other's rows */
export function makeDeliveryQueue(db: Kysely<StoreTables>, canSkipLocked: boolean): DeliveryQueue {
  return {
    claimDue: async (claim) => {
      const lease = randomUUIDv7()
      const claimed = await retryConflicts(() =>
        claimDeliveries(db, { ...claim, lease, canSkipLocked }),
      )
      const leads = await retryConflicts(() => loadLeads(db, claimed))
      return claimed.flatMap(({ id, lead_id, attempts }) => {
        const lead = leads.get(lead_id)
        return lead === undefined ? [] : [{ id, lease, attemptsBefore: attempts, lead }]
      })
    },
    record: (attempt) => retryConflicts(() => recordAttempt(db, attempt)),
    release: (deliveries, now) => retryConflicts(() => releaseLeases(db, deliveries, now)),
  }
}

async function loadLeads(
  db: Kysely<StoreTables>,
  claimed: readonly { readonly lead_id: string }[],
): Promise<ReadonlyMap<string, Lead>> {
  if (claimed.length === 0) return new Map()
  const ids = claimed.map(({ lead_id }) => lead_id)
  const rows = await selectLeads(db).where('leads.id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.lead_id, toLead(row)]))
}

/** A settled delivery has none either, so that a lease alone says who may change it. */
const noLease = { lease: null, leased_until: null }

async function recordAttempt(db: Kysely<StoreTables>, attempt: RecordedAttempt): Promise<boolean> {
  const { deliveryId, lease, outcome, next } = attempt
  const settles = 'settledAs' in next
  const settlement = settles ? { settled_as: next.settledAs, settled_at: next.at } : {}
  const result = settles ? settlement : { next_at: next.retryAt }

  return db.transaction().execute(async (store) => {
    const delivery = await store
      .updateTable('deliveries')
      .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
      .where('id', '=', deliveryId)
      .returning(['lease', 'settled_as'])
      .executeTakeFirst()
    // Erased while it was under way: there is nothing left to write to.
    if (delivery === undefined) return false

    await store
      .insertInto('attempts')
      .values({
        id: randomUUIDv7(),
        delivery_id: deliveryId,
        started_at: attempt.startedAt,
        duration_ms: attempt.durationMs,
        outcome: outcome.name,
        http_status: 'httpStatus' in outcome ? outcome.httpStatus : null,
        detail: attemptDetail(outcome),
      })
      .execute()

    const holdsLease = delivery.lease === lease
    const isNewFact =
      settles && next.settledAs === 'delivered' && delivery.settled_as !== 'delivered'
    if (holdsLease || isNewFact) {
      await store
        .updateTable('deliveries')
        .set({ ...result, ...noLease })
        .where('id', '=', deliveryId)
        .execute()
    }
    return holdsLease
  })
}

async function releaseLeases(
  db: Kysely<StoreTables>,
  deliveries: readonly ClaimedDelivery[],
  now: number,
): Promise<void> {
  if (deliveries.length === 0) return
  await db
    .updateTable('deliveries')
    .set({ ...noLease, next_at: now })
    .where((eb) => eb.or(deliveries.map(({ id, lease }) => eb.and({ id, lease }))))
    .execute()
}
