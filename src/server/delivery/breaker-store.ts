import { type Kysely, type Selectable, sql, type Updateable } from 'kysely'
import {
  afterFailedProbe,
  type BreakerState,
  closedBreaker,
  type FailedProbe,
  minStartProbeIntervalMs,
  type ProbeKind,
  type Trip,
  type TripOrder,
  tripped,
  wasDistributorsFault,
} from '#domain/delivery/breaker.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { attachLeads, type Claimed, claimDelivery, type LeaseClaim } from './claim-deliveries.ts'
import { type PauseOrder, recordHold, recordHoldEnd } from './delivery-holds.ts'
import { maxUncounted } from './record-attempts.ts'

type Store = Kysely<StoreTables>
type Columns = Updateable<StoreTables['delivery_gate']>

export type BreakerStore = ReturnType<typeof makeBreakerStore>

/**
 * One breaker for all deliveries of a store, in one row that every worker of every process obeys. Each step is one guarded
 * statement or one transaction on that row, so of several processes only one takes it. `at` is epoch milliseconds.
 */
export function makeBreakerStore(db: Store) {
  /** The update changes nothing: it locks the row on both databases until the transaction ends. */
  const locked = <Result>(step: (store: Store, breaker: LockedBreaker) => Promise<Result>) =>
    retryConflicts(() =>
      db.transaction().execute(async (store) => {
        const lock = updateBreaker(store).set({ id: 1 }).returningAll()
        const row = await lock.executeTakeFirstOrThrow()
        return step(store, { ...stateOf(row), probe: row.probe })
      }),
    )
  return {
    read: (): Promise<BreakerState> => retryConflicts(() => readBreaker(db)),
    /**
     * Holds all deliveries back until `resume`. It ends a trip, which then has cost no lead a try.
     * @returns false if they were paused before: reason and time are the new ones
     */
    pause: (order: PauseOrder) =>
      locked(async (store, { pause, trip }) => {
        const { reason, at } = order
        if (trip !== null) await releaseWaiting(store, trip.since)
        const paused = { paused_by: 'operator', pause_reason: reason, paused_at: at } as const
        await write(store, { ...closed, ...paused })
        await recordHoldEnd(store, { ...order, reason: '' })
        await recordHold(store, { ...order, kind: 'pause', since: at })
        return pause === null
      }),
    /** Ends a pause or a trip, and makes due what the trip made wait; false if there was neither. */
    resume: (order: PauseOrder) =>
      locked(async (store, { pause, trip }) => {
        if (pause === null && trip === null) return false
        if (trip !== null) await releaseWaiting(store, trip.since)
        await write(store, closed)
        await recordHoldEnd(store, order)
        return true
      }),
    /** Opens the breaker: from now on one probe is sent at a time. False if it is open already. */
    trip: (order: TripOrder) =>
      locked(async (store, { pause, trip }) => {
        if (pause !== null || trip !== null) return false
        await write(store, columnsOf(tripped(order)))
        await recordHold(store, { ...order, kind: order.cause })
        return true
      }),
    /** Ends a trip after an answer. If the distributor was at fault, the trip has cost no lead a try. False without a trip. */
    answered: (lead: ProbeKind, at: number) =>
      locked(async (store, { trip }) => {
        if (trip === null) return false
        if (wasDistributorsFault(trip, lead)) await releaseWaiting(store, trip.since)
        await write(store, closed)
        await recordHoldEnd(store, { reason: '', at })
        return true
      }),
    /** Counts the probe that this lease was given for as failed. */
    probeFailed: ({ lease, ...failed }: FailedProbe & { readonly lease: string }) =>
      locked(async (store, { trip, probe }) => {
        if (trip === null || probe !== lease) return
        await write(store, columnsOf(afterFailedProbe(trip, failed)))
      }),
    /** Lets the next probe go at once, as this lease's probe was not made. */
    probeNotMade: async ({ lease, at }: { readonly lease: string; readonly at: number }) => {
      await retryConflicts(() => releaseProbe(db, { lease, now: at }))
    },
    /** Lets a probe go at once, but seldom: a worker that starts may have another configuration. */
    workerStarted: async (at: number) => {
      const started = updateBreaker(db)
        .set({ probe: null, probe_at: at, repeat_at: at, start_probe_at: at })
        .where('probe_at', 'is not', null)
        .where((eb) =>
          eb(eb.fn.coalesce('start_probe_at', eb.lit(0)), '<=', at - minStartProbeIntervalMs),
        )
      await retryConflicts(() => started.execute())
    },
  }
}

const updateBreaker = (db: Store) => db.updateTable('delivery_gate').where('id', '=', 1)

const write = (store: Store, columns: Columns) => updateBreaker(store).set(columns).execute()

async function readBreaker(db: Store): Promise<BreakerState> {
  const rows = db.selectFrom('delivery_gate').selectAll().where('id', '=', 1)
  return stateOf(await rows.executeTakeFirstOrThrow())
}

/** `probe` is the lease of the probe under way. */
type LockedBreaker = BreakerState & { readonly probe: string | null }

/** The columns keep the names of the first schema, as release 0.2.0 may run on the same store. */
function stateOf(row: Selectable<StoreTables['delivery_gate']>): BreakerState {
  const { paused_by, pause_reason, paused_at, probe_at } = row
  const reason = pause_reason ?? ''
  if (paused_by === 'operator') return { pause: { reason, since: paused_at ?? 0 }, trip: null }
  const cause = paused_by === 'refusal' ? 'refused' : 'outage'
  const since = cause === 'refused' ? paused_at : row.outage_since
  if (since === null) return closedBreaker
  const failedProbes = row.failed_probes + row.refused_probes + row.akin_refused_probes
  const [probeAt, repeatAt] = [probe_at ?? 0, row.repeat_at ?? probe_at ?? 0]
  return { pause: null, trip: { cause, reason, since, failedProbes, probeAt, repeatAt } }
}

const closed: Columns = {
  paused_by: null,
  pause_reason: null,
  paused_at: null,
  outage_since: null,
  failed_probes: 0,
  refused_probes: 0,
  akin_refused_probes: 0,
  answered_probes: 0,
  probe: null,
  probe_at: null,
  repeat_at: null,
}

const columnsOf = ({ cause, reason, since, failedProbes, probeAt, repeatAt }: Trip): Columns => ({
  ...closed,
  ...(cause === 'refused'
    ? { paused_by: 'refusal', paused_at: since, refused_probes: failedProbes }
    : { outage_since: since, failed_probes: failedProbes }),
  pause_reason: reason,
  probe_at: probeAt,
  repeat_at: repeatAt,
})

/**
 * Makes leads due that failed since `since` (epoch milliseconds) and wait by our own schedule, and
 * gives back their attempt: they are again in the order of their age, or of their reopening. A
 * wait that the distributor asked for stays.
 */
async function releaseWaiting(db: Store, since: number): Promise<void> {
  await db
    .updateTable('deliveries')
    .set((eb) => ({
      next_at: eb.fn.coalesce(
        eb
          .selectFrom('delivery_endings')
          .select((max) => max.fn.max('owed_again_at').as('at'))
          .whereRef('delivery_id', '=', 'deliveries.id'),
        'created_at',
      ),
      // A repeated probe has spent nothing; there is at most one counted attempt in a trip.
      spared: sql<number>`case when spared < attempts then spared + 1 else spared end`,
    }))
    .where('settled_at', 'is', null)
    .where('lease', 'is', null)
    .where('waits_since', '>=', since)
    .where('spared', '<', maxUncounted)
    .execute()
}

/** Its lease names the probe: see `probeFailed`. */
type ProbeClaim = Omit<LeaseClaim, 'limit'>

const nothing: Claimed = { deliveries: [], unreadable: [] }

/** Takes the right to the next probe and a delivery for it, both or neither. Only reads if there is none. */
export async function claimProbe(db: Store, claim: ProbeClaim): Promise<Claimed> {
  const { pause, trip } = await readBreaker(db)
  if (pause !== null || trip === null || trip.probeAt > claim.now) return nothing
  const chosen = await chooseProbe(db, trip, claim.now)
  if (chosen === undefined) return nothing
  const row = await db.transaction().execute(async (store) => {
    // One guarded update: one of all workers has the probe, which counts as lost when the lease ends.
    const taken = await updateBreaker(store)
      .set({ probe: claim.lease, probe_at: claim.leaseUntil })
      .where('probe_at', '<=', claim.now)
      .where('paused_by', 'is distinct from', 'operator')
      .executeTakeFirst()
    if (taken.numUpdatedRows === 0n) return undefined
    const claimed = await claimDelivery(store, chosen.id, claim)
    // Another worker has taken the delivery meanwhile.
    if (claimed === undefined) await releaseProbe(store, claim)
    return claimed
  })
  if (row === undefined) return nothing
  const { deliveries, unreadable } = await attachLeads(db, [row], claim)
  if (deliveries.length === 0) await releaseProbe(db, claim)
  return { deliveries: deliveries.map((one) => ({ ...one, probe: chosen.kind })), unreadable }
}

/** Lets the next worker that asks have the probe. @returns whether this lease had it */
export async function releaseProbe(
  store: Store,
  { now, lease }: Pick<ProbeClaim, 'now' | 'lease'>,
): Promise<boolean> {
  const { numUpdatedRows } = await updateBreaker(store)
    .set({ probe: null, probe_at: now })
    .where('probe', '=', lease)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The probe is chosen among so many of the oldest: choosing costs the same however many leads wait. */
const pickRandom = 1000

/**
 * Chooses a waiting delivery that has not failed in this trip, at random, so that no order of arrival hides a lead that
 * would pass; leads that have failed before the trip come after those that never have. From `repeatAt` on, if no other
 * waits, it is the one that failed the longest ago.
 */
async function chooseProbe(
  db: Store,
  trip: Trip,
  now: number,
): Promise<{ readonly id: string; readonly kind: ProbeKind } | undefined> {
  const unsettled = db.selectFrom('deliveries').where('settled_at', 'is', null)
  const untried = unsettled
    .select(['id', 'attempts', 'spared'])
    .where('next_at', '<=', now)
    .where(
      sql<boolean>`not exists (
        select 1 from attempts where delivery_id = deliveries.id and started_at >= ${trip.since})`,
    )
    .orderBy('next_at')
    .limit(pickRandom)
  const chosen = await db
    .selectFrom(untried.as('untried'))
    .select('id')
    .orderBy(sql`case when attempts > spared then 1 else 0 end`)
    .orderBy(sql`random()`)
    .limit(1)
    .executeTakeFirst()
  if (chosen !== undefined) return { id: chosen.id, kind: 'untried' }
  if (trip.repeatAt > now) return undefined
  const failed = unsettled
    .select('id')
    .where('lease', 'is', null)
    .where('waits_since', '>=', trip.since)
    .orderBy('waits_since')
    .limit(1)
  const due = unsettled.select('id').where('next_at', '<=', now).orderBy('next_at').limit(1)
  const repeat = (await failed.executeTakeFirst()) ?? (await due.executeTakeFirst())
  return repeat && { id: repeat.id, kind: 'repeat' }
}
