import { randomUUIDv7 } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import {
  type Cap,
  capPeriods,
  describeLimits,
  describeScope,
  emptyCap,
} from '#domain/delivery/cap.ts'
import { heldCondition } from '#server/leads/lead-status.ts'
import { maxReasonLength } from '#server/operators/audit.ts'
import {
  authorize,
  makeAuthorizedTransaction,
  type OperatorContext,
} from '#server/operators/authorize.ts'
import type { Actor } from '#server/operators/operator.ts'
import { countRows } from '#server/platform/database/count-rows.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { findCapPeriod, findDistributorCapHold, type ZonedTime } from './cap-check.ts'
import { makeHeldDeliveriesDue, parseCapRow } from './cap-holds.ts'

interface CapActionsDependencies extends OperatorContext {
  /** The school's time zone. */
  readonly zone: string
}

/** The most caps that can exist, because each claim reads all of them. */
const maxCaps = 500

const dayMs = 24 * 3_600_000

/** A new cap counts leads that were accepted in its period, and received at most this long before the period. */
const backfillMs = 60 * dayMs

/** How long the store keeps what caps counted: longer than a month, which is the longest period of a cap. */
const keptMs = 62 * dayMs

type SaveCapOutcome = 'saved' | 'unknown' | 'no affiliate' | 'too many'

/** Lists and changes caps, for the console and the command line. */
export function makeCapActions({ db, clock, zone }: CapActionsDependencies) {
  const change = makeAuthorizedTransaction({ db, clock }, 'change caps')
  const list = (actor: Actor) => {
    authorize(actor, 'see caps', clock())
    return listCaps(db, clock(), zone)
  }
  /** Adds a cap, or changes the cap with this id. The deliveries that the cap held become due and are checked again. */
  const save = (actor: Actor, cap: Cap, id?: string): Promise<SaveCapOutcome> => {
    const capId = id ?? randomUUIDv7()
    const action = id === undefined ? 'added a cap' : 'changed a cap'
    const write = async (store: Transaction<StoreTables>, now: number): Promise<SaveCapOutcome> => {
      if (!(await lockAffiliate(store, cap))) return 'no affiliate'
      if (id === undefined) {
        if ((await countRows(store.selectFrom('caps'))) >= maxCaps) return 'too many'
        const added = { id: capId, created_at: now, ...toColumns(cap) }
        await store.insertInto('caps').values(added).execute()
      } else {
        const changed = store.updateTable('caps').set(toColumns(cap)).where('id', '=', id)
        if ((await changed.executeTakeFirstOrThrow()).numUpdatedRows === 0n) return 'unknown'
      }
      await recountUses(store, { ...cap, id: capId }, { now, zone })
      await makeHeldDeliveriesDue(store, { capId, now })
      await store.deleteFrom('held_deliveries').where('cap_id', '=', capId).execute()
      return 'saved'
    }
    const entry = { action, subject: capId, reason: describeCap(cap) } as const
    return change(actor, entry, write, (outcome) => (outcome === 'saved' ? outcome : undefined))
  }
  /** Removes a cap. The deliveries that the cap holds become due. @returns false if the cap does not exist */
  const remove = (actor: Actor, id: string): Promise<boolean> => {
    const write = async (store: Transaction<StoreTables>, now: number) =>
      (await removeCaps(store, 'id', id, now)).length > 0
    const entry = { action: 'removed a cap', subject: id } as const
    return change(actor, entry, write, (isDone) => (isDone ? 'removed' : undefined))
  }
  return {
    zone,
    /** Lists the affiliates that a cap may apply to, by name. */
    affiliates: () => db.selectFrom('affiliates').select(['id', 'name']).orderBy('name').execute(),
    list,
    save,
    /** Limits an affiliate's leads a day or a month: changes the affiliate's cap for the same period, or adds a cap. */
    setForAffiliate: async (
      actor: Actor,
      affiliateId: string,
      { maxLeads, period }: Pick<Cap, 'maxLeads' | 'period'>,
    ): Promise<SaveCapOutcome> => {
      const known = (await list(actor)).find(
        (cap) =>
          cap.affiliateId === affiliateId &&
          cap.period === period &&
          cap.program === null &&
          cap.state === null &&
          cap.maxLeads !== null,
      )
      return save(actor, { ...(known ?? emptyCap), affiliateId, maxLeads, period }, known?.id)
    },
    remove,
  }
}

/** Removes a cap, or an affiliate's caps. The deliveries that these caps hold become due. @returns the removed caps */
export async function removeCaps(
  store: Transaction<StoreTables>,
  column: 'id' | 'affiliate_id',
  id: string,
  now: number,
): Promise<readonly Cap[]> {
  // While the cap is locked, no claim can make the cap hold another delivery.
  const locked = store.selectFrom('caps').selectAll().where(column, '=', id).forUpdate()
  const caps = (await locked.orderBy('id').execute()).map(parseCapRow)
  for (const cap of caps) {
    await makeHeldDeliveriesDue(store, { capId: cap.id, now })
    await store.deleteFrom('caps').where('id', '=', cap.id).execute()
  }
  return caps
}

/** Describes a cap for the audit log. */
const describeCap = (cap: Cap): string =>
  `${describeScope({ ...cap, affiliate: null })}: ${describeLimits(cap)}`.slice(0, maxReasonLength)

const toColumns = (cap: Cap) => ({
  program: cap.program,
  affiliate_id: cap.affiliateId,
  state: cap.state,
  max_leads: cap.maxLeads,
  period: cap.period,
  opens_at: cap.opensAt,
  closes_at: cap.closesAt,
  blocked_states: cap.blockedStates.join(' '),
  follows_distributor: cap.followsDistributor ? 1 : 0,
  full_since: cap.fullSince,
})

/** Locks the affiliate's row, so that the affiliate is not removed before its new cap is stored. */
async function lockAffiliate(
  store: Transaction<StoreTables>,
  { affiliateId }: Cap,
): Promise<boolean> {
  if (affiliateId === null) return true
  const found = store.selectFrom('affiliates').select('id').where('id', '=', affiliateId)
  return (await found.forShare().executeTakeFirst()) !== undefined
}

async function listCaps(db: Kysely<StoreTables>, now: number, zone: string) {
  const moment = { now, zone }
  const periodKeys = capPeriods.map((period) => findCapPeriod(period, moment).key)
  const rows = await db
    .selectFrom('caps')
    .leftJoin('affiliates', 'affiliates.id', 'caps.affiliate_id')
    .selectAll('caps')
    .select('affiliates.name as affiliate')
    .select((eb) => [
      eb
        .selectFrom('cap_uses')
        .select(eb.fn.countAll<number>().as('n'))
        .whereRef('cap_id', '=', 'caps.id')
        .where('cap_uses.period', 'in', periodKeys)
        .as('used'),
      eb
        .selectFrom('held_deliveries')
        .innerJoin('deliveries', 'deliveries.id', 'held_deliveries.delivery_id')
        .select(eb.fn.countAll<number>().as('n'))
        .whereRef('cap_id', '=', 'caps.id')
        .where(heldCondition)
        .as('held'),
    ])
    .orderBy('caps.id')
    .execute()
  return rows.map((row) => {
    const cap = parseCapRow(row)
    return {
      ...{ ...cap, affiliate: row.affiliate, used: Number(row.used), held: Number(row.held) },
      /** The end of the cap's current period, in epoch milliseconds. */
      until: findCapPeriod(cap.period, moment).until,
      isFull: findDistributorCapHold(cap, moment) !== undefined,
    }
  })
}

/** Recounts a cap's deliveries: those accepted in this period, those being sent, and those sent without an answer. */
async function recountUses(
  store: Kysely<StoreTables>,
  cap: Cap & { readonly id: string },
  moment: ZonedTime,
): Promise<void> {
  const { key, since } = findCapPeriod(cap.period, moment)
  await store.deleteFrom('cap_uses').where('cap_id', '=', cap.id).execute()
  const scope = [
    cap.program !== null && sql`lead_index.program = ${cap.program}`,
    cap.affiliateId !== null && sql`affiliate_ids.affiliate_id = ${cap.affiliateId}`,
    cap.state !== null && sql`lead_index.state = ${cap.state}`,
  ].filter((condition) => condition !== false)
  await sql`
    insert into cap_uses (cap_id, period, delivery_id, used_at)
    select ${cap.id}, ${key}, deliveries.id, cast(${moment.now} as bigint) from deliveries
      inner join lead_index on lead_index.lead_id = deliveries.lead_id
      left join affiliate_ids on affiliate_ids.affid = lead_index.affiliate
    where (settled_as = 'delivered' and settled_at >= ${since}
        and deliveries.created_at >= ${since - backfillMs}
      or settled_as is null and (lease is not null or unknown_attempts > 0))
      and ${sql.join([sql`1 = 1`, ...scope], sql` and `)}`.execute(store)
}

/** Deletes what caps counted in past periods, and the holds that have ended. */
export async function deleteOldCapUses(db: Kysely<StoreTables>, now: number): Promise<void> {
  await db
    .deleteFrom('cap_uses')
    .where('used_at', '<', now - keptMs)
    .execute()
  await db
    .deleteFrom('held_deliveries')
    .where('until_at', '<', now - dayMs)
    .execute()
}
