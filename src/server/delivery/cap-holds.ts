import { type Kysely, type Selectable, type SqlBool, sql, type Transaction } from 'kysely'
import type { CapPeriod, ScopedCap } from '#domain/delivery/cap.ts'
import { freeCapPlaces } from '#server/leads/cap-places.ts'
import { affiliateOfLead } from '#server/leads/lead-origins.ts'
import { heldCondition, noLease } from '#server/leads/lead-status.ts'
import { countRows } from '#server/platform/database/rows.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import {
  type CapHold,
  type CappedLead,
  capAppliesToLead,
  findCapPeriod,
  makeCapCheck,
  type ZonedTime,
} from './cap-check.ts'

type Tx = Transaction<StoreTables>

export interface StoredCap extends ScopedCap {
  readonly id: string
}

/** Selects caps, each with its affiliate's name. */
export const selectCaps = (db: Kysely<StoreTables>) =>
  db
    .selectFrom('caps')
    .leftJoin('affiliates', 'affiliates.id', 'caps.affiliate_id')
    .selectAll('caps')
    .select('affiliates.name as affiliate')
    .orderBy('caps.id')

export const parseCapRow = (
  row: Selectable<StoreTables['caps']> & { readonly affiliate: string | null },
): StoredCap => ({
  id: row.id,
  program: row.program,
  affiliateId: row.affiliate_id,
  affiliate: row.affiliate,
  state: row.state,
  maxLeads: row.max_leads,
  period: row.period,
  opensAt: row.opens_at,
  closesAt: row.closes_at,
  weekdays: [...row.weekdays].map(Number),
  holidays: row.holidays.split(' ').filter(Boolean),
  blockedStates: row.blocked_states.split(' ').filter(Boolean),
  followsDistributor: row.follows_distributor === 1,
  fullSince: row.full_since,
})

/** Locks all caps in a fixed order, so that the transactions that count toward caps run one after another. */
export async function lockCaps(tx: Tx): Promise<readonly StoredCap[]> {
  return (await selectCaps(tx).forUpdate('caps').execute()).map(parseCapRow)
}

/**
 * Counts claimed deliveries toward their caps, oldest first, and holds the deliveries that a cap does not allow yet.
 * The function locks the caps until the claim's transaction ends, so that the claims of several workers count one after
 * another.
 * @returns the ids of the held deliveries
 */
export async function applyCaps(
  tx: Tx,
  deliveries: readonly { readonly id: string; readonly lead_id: string }[],
  moment: ZonedTime,
): Promise<ReadonlySet<string>> {
  const caps = await lockCaps(tx)
  const leadIds = deliveries.map(({ lead_id }) => lead_id)
  const found = await selectCapLeads(tx, leadIds).execute()
  const leads = new Map(found.map((row) => [row.lead_id, row]))
  const concerned = deliveries.flatMap(({ id, lead_id }) => {
    const lead = leads.get(lead_id)
    const isConcerned = lead !== undefined && caps.some((cap) => capAppliesToLead(cap, lead))
    return isConcerned ? [{ id, lead }] : []
  })
  if (concerned.length === 0) return new Set()
  const ids = concerned.map(({ id }) => id)
  const { held, uses } = decideHolds(concerned, caps, await readUses(tx, ids, moment), moment)
  await insertUses(tx, uses, moment.now)
  await tx.deleteFrom('held_deliveries').where('delivery_id', 'in', ids).execute()
  if (held.size > 0) await holdDeliveries(tx, held)
  return new Set(held.keys())
}

interface CapHoldWithId extends CapHold {
  readonly capId: string
}

interface CapUse {
  readonly cap: StoredCap
  readonly deliveryId: string
}

/** Decides in the given order which deliveries caps hold, and toward which caps the other deliveries newly count. */
function decideHolds(
  deliveries: readonly { readonly id: string; readonly lead: CappedLead }[],
  caps: readonly StoredCap[],
  known: Awaited<ReturnType<typeof readUses>>,
  moment: ZonedTime,
) {
  const checks = caps.map((cap) => ({ ...makeCapCheck(cap, moment), cap }))
  const uses: CapUse[] = []
  const held = new Map<string, CapHoldWithId>()
  for (const { id, lead } of deliveries) {
    const found = checks.filter(({ cap }) => capAppliesToLead(cap, lead))
    // A delivery that a cap has counted before is not counted again.
    const unused = found.filter(({ cap }) => !known.has(cap.id, id))
    const [longest] = found
      .flatMap((check): CapHoldWithId[] => {
        const capId = check.cap.id
        const hold = check.findHold(lead, unused.includes(check) ? known.count(capId) : -1)
        return hold === undefined ? [] : [{ ...hold, capId }]
      })
      .toSorted((one, other) => other.until - one.until)
    if (longest !== undefined) {
      held.set(id, longest)
      continue
    }
    for (const { cap } of unused) {
      known.add(cap.id)
      uses.push({ cap, deliveryId: id })
    }
  }
  return { held, uses }
}

/** Counts the leads that caps hold. */
export const countHeld = (db: Kysely<StoreTables>, capIds: readonly string[]): Promise<number> =>
  countRows(
    db
      .selectFrom('held_deliveries')
      .innerJoin('deliveries', 'deliveries.id', 'held_deliveries.delivery_id')
      .where('cap_id', 'in', [...capIds, ''])
      .where(heldCondition),
  )

/**
 * Counts leads toward every cap that applies to them although no claim has counted them: the distributor has the leads,
 * as an operator or a late answer says.
 */
export async function countTowardCaps(
  tx: Tx,
  leadIds: readonly string[],
  now: number,
): Promise<void> {
  if (leadIds.length === 0) return
  const caps = await lockCaps(tx)
  const leads = await selectCapLeads(tx, leadIds)
    .innerJoin('deliveries', 'deliveries.lead_id', 'lead_index.lead_id')
    .select('deliveries.id')
    .execute()
  const uses = leads.flatMap((lead) =>
    caps.filter((cap) => capAppliesToLead(cap, lead)).map((cap) => ({ cap, deliveryId: lead.id })),
  )
  await insertUses(tx, uses, now)
}

async function insertUses(tx: Tx, uses: readonly CapUse[], now: number): Promise<void> {
  if (uses.length === 0) return
  const rows = uses.map(({ cap, deliveryId }) => ({
    cap_id: cap.id,
    period: toUsePeriod(cap.period, now),
    delivery_id: deliveryId,
    used_at: now,
  }))
  await tx
    .insertInto('cap_uses')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['cap_id', 'period', 'delivery_id']).doUpdateSet({ used_at: now }),
    )
    .execute()
}

/** The UTC day or month of a use. Queries find uses by this prefix of the primary key, and compare their time. */
export const toUsePeriod = (period: CapPeriod, at: number): string =>
  new Date(at).toISOString().slice(0, period === 'day' ? 10 : 7)

/**
 * The condition, in a query that joins `cap_uses` with `caps`, for the uses of each cap's current period. Uses are found
 * by their time, because a change of the school's time zone moves the beginning of the period.
 */
export function isCurrentUse(moment: ZonedTime) {
  const conditions = (['day', 'month'] as const).map((period) => {
    const { since } = findCapPeriod(period, moment)
    return sql`caps.period = ${period} and cap_uses.period >= ${toUsePeriod(period, since)} and used_at >= ${since}`
  })
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`
}

const selectCapLeads = (db: Kysely<StoreTables>, leadIds: readonly string[]) =>
  db
    .selectFrom('lead_index')
    .select(['lead_index.lead_id', 'program', 'state', affiliateOfLead.as('affiliateId')])
    .where('lead_index.lead_id', 'in', leadIds)

/**
 * Reads how many deliveries each cap has counted in its period, and which of the own deliveries it has counted. A
 * delivery counts once, even if it was counted before and after midnight UTC.
 */
async function readUses(db: Kysely<StoreTables>, own: readonly string[], moment: ZonedTime) {
  const current = db
    .selectFrom('cap_uses')
    .innerJoin('caps', 'caps.id', 'cap_uses.cap_id')
    .where(isCurrentUse(moment))
  const counted = await current
    .select(['cap_id', (eb) => eb.fn.count<number>('delivery_id').distinct().as('n')])
    .groupBy('cap_id')
    .execute()
  const ownUses = await current
    .where('delivery_id', 'in', own)
    .select(['cap_id', 'delivery_id'])
    .execute()
  const counts = new Map(counted.map(({ cap_id, n }) => [cap_id, Number(n)]))
  const ownKeys = new Set(ownUses.map(({ cap_id, delivery_id }) => `${cap_id} ${delivery_id}`))
  const count = (capId: string) => counts.get(capId) ?? 0
  return {
    count,
    has: (capId: string, id: string) => ownKeys.has(`${capId} ${id}`),
    add: (capId: string) => counts.set(capId, count(capId) + 1),
  }
}

/** Stores holds, and ends deliveries' leases. Clears `waits_since`, so that a closing breaker leaves them alone. */
async function holdDeliveries(tx: Tx, held: ReadonlyMap<string, CapHoldWithId>): Promise<void> {
  for (const [until, group] of Map.groupBy(held, ([, one]) => one.until)) {
    const ids = group.map(([id]) => id)
    await tx
      .updateTable('deliveries')
      .set({ ...noLease, next_at: until })
      .where('id', 'in', ids)
      .execute()
  }
  const rows = [...held].map(([delivery_id, { capId, until, because }]) => ({
    delivery_id,
    cap_id: capId,
    until_at: until,
    because,
  }))
  await tx.insertInto('held_deliveries').values(rows).execute()
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
  tx: Tx,
  { notAccepted, capReached, now }: CapChanges,
): Promise<void> {
  if (notAccepted.length === 0 && capReached.length === 0) return
  await lockCaps(tx)
  if (capReached.length > 0) {
    const uses = tx.selectFrom('cap_uses').select('cap_id')
    await tx
      .updateTable('caps')
      .set({ full_since: now })
      .where('follows_distributor', '=', 1)
      .where('id', 'in', uses.where('delivery_id', 'in', capReached))
      .execute()
  }
  await freeCapPlaces(tx, notAccepted, now)
}
