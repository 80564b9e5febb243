import { type Selectable, sql, type Transaction } from 'kysely'
import type { Cap } from '#domain/delivery/cap.ts'
import { heldCondition } from '#server/leads/lead-status.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { type CapHold, capAppliesToLead, makeCapCheck, type ZonedTime } from './cap-check.ts'

type Store = Transaction<StoreTables>

export const parseCapRow = (
  row: Selectable<StoreTables['caps']>,
): Cap & { readonly id: string } => ({
  id: row.id,
  program: row.program,
  affiliateId: row.affiliate_id,
  state: row.state,
  maxLeads: row.max_leads,
  period: row.period,
  opensAt: row.opens_at,
  closesAt: row.closes_at,
  blockedStates: row.blocked_states.split(' ').filter(Boolean),
  followsDistributor: row.follows_distributor === 1,
  fullSince: row.full_since,
})

interface CapDelivery {
  readonly id: string
  readonly lead_id: string
}

/**
 * Counts claimed deliveries toward their caps, oldest first, and holds the deliveries that a cap does not allow yet.
 * The function locks the caps until the claim's transaction ends, so that the claims of several workers count one after
 * another.
 * @returns the ids of the held deliveries
 */
export async function applyCaps(
  store: Store,
  deliveries: readonly CapDelivery[],
  moment: ZonedTime,
): Promise<ReadonlySet<string>> {
  const rows = await store.selectFrom('caps').selectAll().orderBy('id').forUpdate().execute()
  const caps = rows.map(parseCapRow).map((cap) => ({ ...cap, current: makeCapCheck(cap, moment) }))
  const leads = await readCapLeads(store, deliveries)
  const concerned = deliveries.flatMap(({ id, lead_id }) => {
    const lead = leads.get(lead_id)
    const found = lead === undefined ? [] : caps.filter((cap) => capAppliesToLead(cap, lead))
    return lead === undefined || found.length === 0 ? [] : [{ id, lead, caps: found }]
  })
  if (concerned.length === 0) return new Set()
  const ids = concerned.map(({ id }) => id)
  const uses = await readUses(store, caps, ids)
  const newUses: Selectable<StoreTables['cap_uses']>[] = []
  const held = new Map<string, CapHoldWithId>()
  for (const { id, lead, caps: found } of concerned) {
    // A delivery that a cap has counted before is not counted again.
    const unused = found.filter((cap) => !uses.has(cap.id, id))
    const [longest] = found
      .flatMap((cap): CapHoldWithId[] => {
        const hold = cap.current.findHold(lead, unused.includes(cap) ? uses.count(cap.id) : -1)
        return hold === undefined ? [] : [{ ...hold, capId: cap.id }]
      })
      .toSorted((one, other) => other.until - one.until)
    if (longest !== undefined) {
      held.set(id, longest)
      continue
    }
    for (const { id: capId, current } of unused) {
      uses.add(capId)
      const period = current.period.key
      newUses.push({ cap_id: capId, period, delivery_id: id, used_at: moment.now })
    }
  }
  if (newUses.length > 0) await store.insertInto('cap_uses').values(newUses).execute()
  await store.deleteFrom('held_deliveries').where('delivery_id', 'in', ids).execute()
  if (held.size > 0) await holdDeliveries(store, held)
  return new Set(held.keys())
}

type CapHoldWithId = CapHold & { readonly capId: string }

async function readCapLeads(store: Store, deliveries: readonly CapDelivery[]) {
  const ids = deliveries.map(({ lead_id }) => lead_id)
  const rows = await store
    .selectFrom('lead_index')
    .leftJoin('affiliate_ids', 'affiliate_ids.affid', 'lead_index.affiliate')
    .select(['lead_id', 'program', 'state', 'affiliate_id as affiliateId'])
    .where('lead_id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.lead_id, row]))
}

/** Reads how many deliveries each cap has counted in its period, and which deliveries of this claim it has counted. */
async function readUses(
  store: Store,
  caps: readonly { readonly current: ReturnType<typeof makeCapCheck> }[],
  ids: readonly string[],
) {
  const keys = [...new Set(caps.map(({ current }) => current.period.key))]
  const current = store.selectFrom('cap_uses').where('period', 'in', keys)
  const counted = await current
    .select(['cap_id', (eb) => eb.fn.countAll<number>().as('n')])
    .groupBy('cap_id')
    .execute()
  const own = await current
    .select(['cap_id', 'delivery_id'])
    .where('delivery_id', 'in', ids)
    .execute()
  const counts = new Map(counted.map(({ cap_id, n }) => [cap_id, Number(n)]))
  const ownUses = new Set(own.map(({ cap_id, delivery_id }) => `${cap_id} ${delivery_id}`))
  const count = (capId: string) => counts.get(capId) ?? 0
  return {
    count,
    has: (capId: string, id: string) => ownUses.has(`${capId} ${id}`),
    add: (capId: string) => counts.set(capId, count(capId) + 1),
  }
}

/** Stores holds, and ends deliveries' leases. Clears `waits_since`, so that a closing breaker leaves them alone. */
async function holdDeliveries(
  store: Store,
  held: ReadonlyMap<string, CapHoldWithId>,
): Promise<void> {
  for (const [until, group] of Map.groupBy(held, ([, one]) => one.until)) {
    const ids = group.map(([id]) => id)
    await store
      .updateTable('deliveries')
      .set({ lease: null, leased_until: null, next_at: until, waits_since: null })
      .where('id', 'in', ids)
      .execute()
  }
  const rows = [...held].map(([delivery_id, { capId, until, because }]) => ({
    delivery_id,
    cap_id: capId,
    until_at: until,
    because,
  }))
  await store.insertInto('held_deliveries').values(rows).execute()
}

export const isCountedByCap = sql<boolean>`exists (
  select 1 from cap_uses where cap_uses.delivery_id = deliveries.id)`

interface CapChanges {
  /** The ids of the deliveries that ended without the distributor's acceptance. */
  readonly notAccepted: readonly string[]
  /** The ids of the deliveries that the distributor rejected because of its own monthly cap. */
  readonly capReached: readonly string[]
  readonly now: number
}

/**
 * Updates the caps after deliveries have ended. If the distributor reported its own cap, the caps that follow it become
 * full. A delivery that was not accepted no longer counts, so a held delivery becomes due instead. To prevent
 * deadlocks, callers lock the deliveries before this call, and only the rollups after it.
 */
export async function updateCapsAfterAttempts(
  store: Store,
  { notAccepted, capReached, now }: CapChanges,
): Promise<void> {
  if (notAccepted.length === 0 && capReached.length === 0) return
  const usedBy = (ids: readonly string[]) =>
    store.selectFrom('cap_uses').select('cap_id').where('delivery_id', 'in', ids)
  await store
    .selectFrom('caps')
    .select('id')
    .where('id', 'in', usedBy([...notAccepted, ...capReached]))
    .orderBy('id')
    .forUpdate()
    .execute()
  if (capReached.length > 0) {
    await store
      .updateTable('caps')
      .set({ full_since: now })
      .where('follows_distributor', '=', 1)
      .where('id', 'in', usedBy(capReached))
      .execute()
  }
  if (notAccepted.length === 0) return
  const uses = await store
    .deleteFrom('cap_uses')
    .where('delivery_id', 'in', notAccepted)
    .returning('cap_id')
    .execute()
  for (const [capId, { length }] of Map.groupBy(uses, ({ cap_id }) => cap_id)) {
    await makeHeldDeliveriesDue(store, { capId, limit: length, now })
  }
}

interface ReleaseRequest extends Pick<ZonedTime, 'now'> {
  readonly capId: string
  /** The most deliveries to make due; all deliveries if absent. */
  readonly limit?: number
}

/** Lets the deliveries that a cap holds become due now, oldest first. Skips deliveries that a claim has locked. */
export async function makeHeldDeliveriesDue(
  store: Store,
  { capId, limit, now }: ReleaseRequest,
): Promise<void> {
  const held = store
    .selectFrom('deliveries')
    .innerJoin('held_deliveries', 'held_deliveries.delivery_id', 'deliveries.id')
    .select('deliveries.id')
    .where('cap_id', '=', capId)
    .where(heldCondition)
    .orderBy('deliveries.created_at')
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .forUpdate('deliveries')
    .skipLocked()
  await store.updateTable('deliveries').set({ next_at: now }).where('id', 'in', held).execute()
}
