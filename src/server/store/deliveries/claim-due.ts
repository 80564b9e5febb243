import type { Kysely } from 'kysely'
import type { Lead } from '#domain/lead/lead.ts'
import type { ClaimedDelivery } from '#server/use-cases/deliveries/delivery-queue.ts'
import { UnreadableLeadError } from '../leads/lead-payload.ts'
import { selectLeads, toLead } from '../leads/lead-row.ts'
import type { StoreTables } from '../store-tables.ts'
import { claimDeliveries, type LeaseClaim } from './claim-deliveries.ts'

/** Claims due deliveries with their leads, oldest due first. */
export async function claimDue(
  db: Kysely<StoreTables>,
  claim: LeaseClaim,
): Promise<readonly ClaimedDelivery[]> {
  const rows = await db.transaction().execute((store) => claimDeliveries(store, claim))
  return withLeads(db, rows, claim)
}

export async function withLeads(
  db: Kysely<StoreTables>,
  rows: Awaited<ReturnType<typeof claimDeliveries>>,
  { lease, leaseUntil }: Pick<LeaseClaim, 'lease' | 'leaseUntil'>,
): Promise<readonly ClaimedDelivery[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ lead_id }) => lead_id)
  const found = await selectLeads(db).where('leads.id', 'in', ids).execute()
  const leads = new Map(found.map((row) => [row.lead_id, readableLead(row)]))
  const refused = await findRefused(db, rows)
  return rows.flatMap(({ id, lead_id, attempts, spared }) => {
    const lead = leads.get(lead_id)
    const tried = { attemptsBefore: attempts, triesSpent: attempts - spared }
    const claimed = { id, lease, leasedUntil: leaseUntil, ...tried }
    const more = refused.has(id) ? ({ refusedBefore: true } as const) : {}
    return lead === undefined ? [] : [{ ...claimed, ...more, lead }]
  })
}

/**
 * One that cannot be read holds up none of those that were claimed with it. Its lease runs out and it is claimed anew,
 * which counts as an attempt of unknown end each time: it waits until somebody mends or settles it.
 */
function readableLead(row: Parameters<typeof toLead>[0]): Lead | undefined {
  try {
    return toLead(row)
  } catch (error) {
    if (error instanceof UnreadableLeadError) return undefined
    throw error
  }
}

/** A refusal that has spent a try was the lead's own doing: see releaseWaiting. Most have spent none. */
async function findRefused(
  db: Kysely<StoreTables>,
  rows: Awaited<ReturnType<typeof claimDeliveries>>,
): Promise<ReadonlySet<string>> {
  const tried = rows.filter(({ attempts, spared }) => attempts > spared)
  if (tried.length === 0) return new Set()
  const ids = tried.map(({ id }) => id)
  const found = await db
    .selectFrom('attempts')
    .select('delivery_id')
    .where('delivery_id', 'in', ids)
    .where('outcome', '=', 'refused')
    .execute()
  return new Set(found.map(({ delivery_id }) => delivery_id))
}
