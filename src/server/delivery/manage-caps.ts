import { randomUUIDv7 } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely'
import {
  type Cap,
  describeLimits,
  describeScope,
  emptyCap,
  type ScopedCap,
  toAuditedCap,
} from '#domain/delivery/cap.ts'
import { day } from '#domain/durations.ts'
import { pluralize } from '#domain/text/formats.ts'
import { makeHeldDeliveriesDue } from '#server/leads/cap-places.ts'
import { affiliateOfLead } from '#server/leads/lead-origins.ts'
import { heldCondition } from '#server/leads/lead-status.ts'
import { type KeepChange, runAuditedTransaction } from '#server/operators/audit.ts'
import { authorize } from '#server/operators/authorize.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { OperatorContext } from '#server/operators/operator-context.ts'
import { countRows } from '#server/platform/database/rows.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import {
  findCapPeriod,
  findClosingHold,
  findDistributorCapHold,
  findFullUntil,
  type ZonedTime,
} from './cap-check.ts'
import {
  isCurrentUse,
  lockCaps,
  parseCapRow,
  type StoredCap,
  selectCaps,
  toUsePeriod,
} from './cap-holds.ts'

interface CapActionsDependencies extends OperatorContext {
  readonly zone: string
}

/** The most caps that can exist, because each claim reads all of them. */
const maxCaps = 500

/** A new cap counts leads that were accepted in its period, and received at most this long before the period. */
const backfillMs = 60 * day

type SaveCapOutcome = 'saved' | 'unchanged' | 'unknown' | 'no affiliate' | 'too many'

/** Lists and changes caps, for the console and the command line. */
export function makeCapActions({ db, clock, zone }: CapActionsDependencies) {
  const list = (actor: Actor) => {
    authorize(actor, 'see caps', clock())
    return listCaps(db, clock(), zone)
  }
  /**
   * Adds a cap, or changes the cap with this id. The deliveries that the cap held become due and are checked again. A cap
   * saved without a change gets no audit entry.
   */
  const save = (actor: Actor, given: Cap, id?: string): Promise<SaveCapOutcome> => {
    const capId = id ?? randomUUIDv7()
    const action = id === undefined ? 'added a cap' : 'changed a cap'
    // A saved cap no longer waits for the distributor's next month.
    const cap = { ...given, id: capId, fullSince: null }
    const write = async (
      tx: Transaction<StoreTables>,
      now: number,
      keep: KeepChange,
    ): Promise<SaveCapOutcome> => {
      const affiliate = await lockAffiliate(tx, cap)
      if (affiliate === undefined) return 'no affiliate'
      const known = (await lockCaps(tx)).find((one) => one.id === id)
      if (id === undefined) {
        if ((await countRows(tx.selectFrom('caps'))) >= maxCaps) return 'too many'
        const added = { id: capId, created_at: now, ...toColumns(cap) }
        await tx.insertInto('caps').values(added).execute()
      } else {
        if (known === undefined) return 'unknown'
        if (isDeepStrictEqual(toColumns(known), toColumns(cap))) return 'unchanged'
        await tx.updateTable('caps').set(toColumns(cap)).where('id', '=', id).execute()
      }
      const saved = { ...cap, affiliate }
      const before = known && toAuditedCap(known)
      await keep({ target: describeCap(saved), before, after: toAuditedCap(saved) })
      await recountCap(tx, cap, { now, zone }, known)
      return 'saved'
    }
    const entry = { actor, permission: 'change caps', action, subject: capId } as const
    return runAuditedTransaction({ db, clock }, entry, write, (outcome) =>
      outcome === 'saved' ? outcome : undefined,
    )
  }
  /** Removes a cap. The deliveries that the cap holds become due. @returns how many; undefined if the cap does not exist */
  const remove = (actor: Actor, id: string): Promise<number | undefined> => {
    const write = async (tx: Transaction<StoreTables>, now: number, keep: KeepChange) => {
      const { caps, due } = await removeCaps(tx, (cap) => cap.id === id, now)
      for (const cap of caps) await keep({ target: describeCap(cap), before: toAuditedCap(cap) })
      return caps.length > 0 ? due : undefined
    }
    const act = { actor, permission: 'change caps', action: 'removed a cap', subject: id } as const
    return runAuditedTransaction({ db, clock }, act, write, (due) =>
      due === undefined ? undefined : `removed; ${pluralize(due, 'held lead')} due`,
    )
  }
  return {
    zone,
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

/** Removes the caps that `isRemoved` accepts. The deliveries that these caps hold become due. */
export async function removeCaps(
  tx: Transaction<StoreTables>,
  isRemoved: (cap: StoredCap) => boolean,
  now: number,
): Promise<{ readonly caps: readonly StoredCap[]; readonly due: number }> {
  const caps = (await lockCaps(tx)).filter(isRemoved)
  let due = 0
  for (const { id: capId } of caps) {
    due += await makeHeldDeliveriesDue(tx, { capId, now })
    await tx.deleteFrom('caps').where('id', '=', capId).execute()
  }
  return { caps, due }
}

/** Counts an affiliate's caps again after the affiliate's ids have changed. */
export async function recountCapsOf(
  tx: Transaction<StoreTables>,
  affiliateId: string,
  moment: ZonedTime,
): Promise<void> {
  const caps = (await lockCaps(tx)).filter((cap) => cap.affiliateId === affiliateId)
  for (const cap of caps) await recountCap(tx, cap, moment, cap)
}

/** Describes a cap, as in `affiliate Acme: 100 leads a day`. */
export const describeCap = (cap: ScopedCap): string =>
  `${describeScope(cap)}: ${describeLimits(cap)}`

const toColumns = (cap: Cap) => ({
  program: cap.program,
  affiliate_id: cap.affiliateId,
  state: cap.state,
  max_leads: cap.maxLeads,
  period: cap.period,
  opens_at: cap.opensAt,
  closes_at: cap.closesAt,
  weekdays: cap.weekdays.join(''),
  holidays: cap.holidays.join(' '),
  blocked_states: cap.blockedStates.join(' '),
  follows_distributor: cap.followsDistributor ? 1 : 0,
  full_since: cap.fullSince,
})

/**
 * Locks the affiliate's row, so that the affiliate is not removed before its new cap is stored.
 * @returns the affiliate's name; null if the cap applies to any affiliate, undefined if the affiliate does not exist
 */
async function lockAffiliate(
  tx: Transaction<StoreTables>,
  { affiliateId }: Cap,
): Promise<string | null | undefined> {
  if (affiliateId === null) return null
  const found = tx.selectFrom('affiliates').select('name').where('id', '=', affiliateId)
  return (await found.forShare().executeTakeFirst())?.name
}

async function listCaps(db: Kysely<StoreTables>, now: number, zone: string) {
  const moment = { now, zone }
  const rows = await selectCaps(db)
    .select((eb) => [
      eb
        .selectFrom('cap_uses')
        .select(({ fn }) => fn.count<number>('cap_uses.delivery_id').distinct().as('n'))
        .whereRef('cap_id', '=', 'caps.id')
        .where(isCurrentUse(moment))
        .as('used'),
      eb
        .selectFrom('held_deliveries')
        .innerJoin('deliveries', 'deliveries.id', 'held_deliveries.delivery_id')
        .select(eb.fn.countAll<number>().as('n'))
        .whereRef('cap_id', '=', 'caps.id')
        .where(heldCondition)
        .as('held'),
    ])
    .execute()
  return rows.map((row) => {
    const cap = parseCapRow(row)
    return {
      ...cap,
      used: Number(row.used),
      held: Number(row.held),
      /** The first opening after the cap's current period, in epoch milliseconds. */
      fullUntil: findFullUntil(cap, moment),
      isFull: findDistributorCapHold(cap, moment) !== undefined,
      /** When the cap's next opening begins, in epoch milliseconds; undefined while it is open. */
      closedUntil: findClosingHold(cap, moment)?.until,
    }
  })
}

/**
 * Counts a cap's deliveries again: those accepted in this period, those being sent, and those sent without an answer.
 * The deliveries that the cap held become due and are checked again.
 * @param known the cap before the change
 */
async function recountCap(
  tx: Transaction<StoreTables>,
  cap: Cap & { readonly id: string },
  moment: ZonedTime,
  known: Cap | undefined,
): Promise<void> {
  const { since } = findCapPeriod(cap.period, moment)
  const { id: capId } = cap
  const scope = [
    cap.program !== null && sql`lead_index.program = ${cap.program}`,
    cap.affiliateId !== null && sql`${affiliateOfLead} = ${cap.affiliateId}`,
    cap.state !== null && sql`lead_index.state = ${cap.state}`,
  ].filter((condition) => condition !== false)
  const hasSameScope =
    known?.program === cap.program &&
    known.affiliateId === cap.affiliateId &&
    known.state === cap.state
  const key = toUsePeriod(cap.period, moment.now)
  const erased = sql`select id from deliveries where lead_erased_at is not null`
  if (hasSameScope) {
    // An erased lead has lost its affiliate and state, so only the earlier count knows that the lead is in the scope.
    await sql`
      insert into cap_uses (cap_id, period, delivery_id, used_at)
      select cap_id, ${sql.lit(key)}, delivery_id, max(used_at) from cap_uses
      where cap_id = ${capId} and used_at >= ${since} and delivery_id in (${erased})
      group by cap_id, delivery_id on conflict do nothing`.execute(tx)
  }
  await tx
    .deleteFrom('cap_uses')
    .where('cap_id', '=', capId)
    .$if(hasSameScope, (query) =>
      query.where(
        sql<SqlBool>`not (period = ${key} and used_at >= ${since} and delivery_id in (${erased}))`,
      ),
    )
    .execute()
  // Marking a restored delivery as in doubt adds an unknown attempt that nobody has made.
  const mayHaveArrived = sql`unknown_attempts > case when restored_at is null then 0 else 1 end`
  await sql`
    insert into cap_uses (cap_id, period, delivery_id, used_at)
    select ${capId}, ${key}, deliveries.id, coalesce(settled_at, cast(${moment.now} as bigint)) from deliveries
      inner join lead_index on lead_index.lead_id = deliveries.lead_id
    where (settled_at >= ${since} and deliveries.created_at >= ${since - backfillMs}
        and (settled_as = 'delivered' or ${mayHaveArrived} and settled_by_hand_at is null)
      or settled_as is null and (lease is not null or ${mayHaveArrived}))
      and ${sql.join([sql`1 = 1`, ...scope], sql` and `)}
    on conflict do nothing`.execute(tx)
  await makeHeldDeliveriesDue(tx, { capId, now: moment.now })
  await tx.deleteFrom('held_deliveries').where('cap_id', '=', capId).execute()
}
