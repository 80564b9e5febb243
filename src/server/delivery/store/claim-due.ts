import type { Kysely } from 'kysely'
import type { Lead, Unreadable } from '#domain/lead/lead.ts'
import { orUnreadable } from '#server/leads/store/lead-payload.ts'
import { selectLeads, toLead } from '#server/leads/store/lead-row.ts'
import type { StoreWork } from '#server/platform/database/store-work.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { ClaimedDelivery, UnreadableClaim } from '../delivery-queue.ts'
import { claimDeliveries, type LeaseClaim } from './claim-deliveries.ts'
import { putUnreadableAside } from './put-unreadable-aside.ts'

type ClaimedRows = Awaited<ReturnType<typeof claimDeliveries>>

export interface Claimed {
  readonly deliveries: readonly ClaimedDelivery[]
  /** What was put aside: see put-unreadable-aside.ts. */
  readonly unreadable: readonly UnreadableClaim[]
}

export const claimDueDeliveries: StoreWork<LeaseClaim, Claimed> = {
  name: 'claimDueDeliveries',
  run: claimDue,
}

/** Claims due deliveries with their leads, oldest due first. */
async function claimDue(db: Kysely<StoreTables>, claim: LeaseClaim): Promise<Claimed> {
  const rows = await db.transaction().execute((store) => claimDeliveries(store, claim))
  return withLeads(db, rows, claim)
}

export async function withLeads(
  db: Kysely<StoreTables>,
  rows: ClaimedRows,
  claim: Omit<LeaseClaim, 'limit'>,
): Promise<Claimed> {
  if (rows.length === 0) return { deliveries: [], unreadable: [] }
  const { lease, leaseUntil } = claim
  const leads = await findLeads(db, rows)
  const deliveries = rows.flatMap(({ id, lead_id, attempts, spared: uncountedAttempts }) => {
    const lead = leads.get(lead_id)
    const tried = { attemptsBefore: attempts, triesSpent: attempts - uncountedAttempts }
    const claimed = { id, lease, leasedUntil: leaseUntil, ...tried }
    return lead === undefined || 'parts' in lead ? [] : [{ ...claimed, lead }]
  })
  const found = rows.flatMap(({ id, lead_id: leadId }) => {
    const lead = leads.get(leadId)
    return lead !== undefined && 'parts' in lead ? [{ id, leadId, ...lead }] : []
  })
  return { deliveries, unreadable: await putUnreadableAside(db, found, claim) }
}

/** By their ids. One that cannot be read holds up none of those that were claimed with it. */
async function findLeads(
  db: Kysely<StoreTables>,
  rows: ClaimedRows,
): Promise<ReadonlyMap<string, Lead | Unreadable>> {
  const ids = rows.map(({ lead_id }) => lead_id)
  const found = await selectLeads(db).where('leads.id', 'in', ids).execute()
  return new Map(
    found.map((row) => [
      row.lead_id,
      orUnreadable<Lead, Unreadable>(
        () => toLead(row),
        (unreadable) => unreadable,
      ),
    ]),
  )
}
