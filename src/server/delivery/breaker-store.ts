import { type Kysely, type Selectable, sql, type Updateable } from 'kysely'
import {
  type BreakerState,
  type BreakerTrip,
  type BreakerTripStart,
  closedBreaker,
  type FailedProbe,
  makeBreakerTrip,
  minWorkerStartProbeIntervalMs,
  type ProbeKind,
  recordFailedProbe,
  wasDistributorAtFault,
} from '#domain/delivery/breaker.ts'
import type { Destination } from '#domain/notifications/notification.ts'
import { runInTransaction } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import {
  type ClaimedItem,
  claimItemById,
  type ItemReader,
  type ProbeClaim,
} from './claim-deliveries.ts'
import { describeOutbox, formatDestinationKey, type Outbox } from './outbox.ts'
import { maxUncountedAttempts } from './record-attempts.ts'

type Store = Kysely<StoreTables>
type Columns = Updateable<StoreTables['delivery_gate']>

export interface PauseRequest {
  /** Why the operator pauses the deliveries, without personal data; may be empty. */
  readonly reason: string
  readonly at: number
  /** Records the breaker's earlier state, in the transaction that changes the breaker. */
  readonly onChange?: (before: BreakerState, store: Store) => Promise<void>
}

export type BreakerStore = ReturnType<typeof makeBreakerStore>

/**
 * Makes the functions that read and change a circuit breaker. A breaker is one database row, which the workers of all
 * processes obey. Each function changes the row in one statement or transaction, so two processes never make the same
 * change. `at` is in epoch milliseconds.
 * @param destination the webhook or affiliate whose breaker is meant; undefined for the distributor's breaker
 */
export function makeBreakerStore(db: Store, destination?: Destination) {
  const outbox = describeOutbox(destination)
  /** Locks the breaker's row until the transaction ends: an update locks the row on both databases. */
  const locked = <Result>(
    step: (store: Store, breaker: BreakerState, probe: string | null) => Promise<Result>,
  ) =>
    runInTransaction(db, async (store) => {
      const lock = updateBreaker(store, outbox)
        .set((eb) => ({ failed_probes: eb.ref('failed_probes') }))
        .returningAll()
      const row = await lock.executeTakeFirstOrThrow()
      return step(store, parseBreakerRow(row), row.probe)
    })
  return {
    read: (): Promise<BreakerState> => readBreaker(db, outbox),
    /**
     * Pauses all deliveries until an operator resumes them. If the breaker was open, the leads that failed meanwhile
     * become due, and the failed attempt does not count.
     * @returns false if the deliveries were already paused; the new reason and time are stored even then
     */
    pause: ({ reason, at, onChange }: PauseRequest) =>
      locked(async (store, { pause, trip }) => {
        await onChange?.({ pause, trip }, store)
        if (trip !== null) await makeWaitingDue(store, outbox, trip.since)
        const paused = { paused_by: 'operator', pause_reason: reason, paused_at: at } as const
        await writeBreaker(store, outbox, { ...closedColumns, ...paused })
        return pause === null
      }),
    /** Ends a pause. @returns false if nobody has paused the deliveries */
    resume: ({ onChange }: PauseRequest) =>
      locked(async (store, { pause, trip }) => {
        if (pause === null) return false
        await onChange?.({ pause, trip }, store)
        await writeBreaker(store, outbox, closedColumns)
        return true
      }),
    /**
     * Lets a worker send the next probe at once, even a lead that waits for its retry schedule or a Retry-After.
     * @returns false if the breaker is not open, or a probe is under way
     */
    tryNow: ({ at }: Pick<PauseRequest, 'at'>) =>
      locked(async (store, { trip }, probe) => {
        if (trip === null || (probe !== null && trip.probeAt > at)) return false
        await makeNextFailedDue(store, outbox, at)
        await writeBreaker(store, outbox, { probe: null, probe_at: at, repeat_at: at })
        return true
      }),
    /** Opens the breaker, so that workers send one probe at a time. @returns false if the breaker was not closed */
    trip: (newTrip: BreakerTripStart) =>
      locked(async (store, { pause, trip }) => {
        if (pause !== null || trip !== null) return false
        await writeBreaker(store, outbox, toTripColumns(makeBreakerTrip(newTrip)))
        return true
      }),
    /**
     * Closes the breaker after the distributor has answered a probe. If the distributor was at fault, the leads that
     * failed while the breaker was open become due, and the failed attempt does not count.
     * @returns false if the breaker was not open
     */
    answered: (probe: ProbeKind) =>
      locked(async (store, { trip }) => {
        if (trip === null) return false
        if (wasDistributorAtFault(trip, probe)) await makeWaitingDue(store, outbox, trip.since)
        await writeBreaker(store, outbox, closedColumns)
        return true
      }),
    /** Records that the probe with this lease failed, unless another probe has begun since. */
    probeFailed: ({ lease, ...failed }: FailedProbe & { readonly lease: string }) =>
      locked(async (store, { trip }, probe) => {
        if (trip === null || probe !== lease) return
        await writeBreaker(store, outbox, toTripColumns(recordFailedProbe(trip, failed)))
      }),
    /** Allows another probe immediately, because the worker with this lease did not send the probe. */
    probeNotMade: ({ lease, at }: { readonly lease: string; readonly at: number }) =>
      releaseProbe(db, outbox, { lease, now: at }),
    /** Allows a probe immediately when a worker starts, but at most once per `minWorkerStartProbeIntervalMs`. */
    workerStarted: async (at: number) => {
      const started = updateBreaker(db, outbox)
        .set({ probe: null, probe_at: at, repeat_at: at, start_probe_at: at })
        .where('probe_at', 'is not', null)
        .where((eb) =>
          eb(eb.fn.coalesce('start_probe_at', eb.lit(0)), '<=', at - minWorkerStartProbeIntervalMs),
        )
      await started.execute()
    },
  }
}

/** Adds the breaker of a webhook or affiliate, unless the breaker exists already. */
export async function insertBreaker(db: Store, destination: Destination): Promise<void> {
  await db
    .insertInto('notification_gates')
    .values({ id: formatDestinationKey(destination) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

const updateBreaker = (db: Store, { breakerTable, isOwnBreaker }: Outbox) =>
  db.updateTable(breakerTable).where(isOwnBreaker)

const writeBreaker = (store: Store, outbox: Outbox, columns: Columns) =>
  updateBreaker(store, outbox).set(columns).execute()

async function readBreaker(
  db: Store,
  { breakerTable, isOwnBreaker }: Outbox,
): Promise<BreakerState> {
  const rows = db.selectFrom(breakerTable).selectAll().where(isOwnBreaker)
  return parseBreakerRow(await rows.executeTakeFirstOrThrow())
}

/** Parses a circuit breaker's row in the database. The columns keep their old names, because release 0.2.0 may use the same store. */
export function parseBreakerRow(
  row: Omit<Selectable<StoreTables['delivery_gate']>, 'id'>,
): BreakerState {
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

const closedColumns: Columns = {
  ...{ paused_by: null, pause_reason: null, paused_at: null, outage_since: null },
  ...{ failed_probes: 0, refused_probes: 0, akin_refused_probes: 0, answered_probes: 0 },
  ...{ probe: null, probe_at: null, repeat_at: null },
}

const toTripColumns = (trip: BreakerTrip): Columns => ({
  ...closedColumns,
  ...(trip.cause === 'refused'
    ? { paused_by: 'refusal', paused_at: trip.since, refused_probes: trip.failedProbes }
    : { outage_since: trip.since, failed_probes: trip.failedProbes }),
  ...{ pause_reason: trip.reason, probe_at: trip.probeAt, repeat_at: trip.repeatAt },
})

/**
 * Makes deliveries due if their last attempt failed at `since` or later (epoch milliseconds), and no longer counts that
 * attempt toward the retry schedule. A delivery that waits because of the distributor's Retry-After keeps waiting.
 */
async function makeWaitingDue(db: Store, outbox: Outbox, since: number): Promise<void> {
  await db
    .updateTable(outbox.table)
    .set((eb) => ({
      next_at: eb.ref('created_at'),
      // A repeated probe never counts toward the retry schedule, so only one attempt can need this correction.
      spared: sql<number>`case when spared < attempts then spared + 1 else spared end`,
    }))
    .where('settled_at', 'is', null)
    .where(outbox.isOwn)
    .where('lease', 'is', null)
    .where('waits_since', '>=', since)
    .where('spared', '<', maxUncountedAttempts)
    .execute()
}

/** Makes the failed delivery that is due next due at once, unless another delivery is due already. */
async function makeNextFailedDue(db: Store, outbox: Outbox, at: number): Promise<void> {
  const open = db.selectFrom(outbox.table).where('settled_at', 'is', null).where(outbox.isOwn)
  const next = await open
    .select(['id', 'next_at'])
    .where('lease', 'is', null)
    // A lead without attempts may be a released lead, whose release an operator can still undo.
    .where((eb) => eb.or([eb('attempts', '>', 0), eb('next_at', '<=', at)]))
    .orderBy('next_at')
    .limit(1)
    .executeTakeFirst()
  if (next === undefined || next.next_at <= at) return
  await db.updateTable(outbox.table).set({ next_at: at }).where('id', '=', next.id).execute()
}

/** Claims the breaker's next probe, together with the item to send. Changes nothing if no probe is due. */
export async function claimProbe<Item extends ClaimedItem>(
  db: Store,
  claim: ProbeClaim,
  readItems: ItemReader<Item>,
): Promise<Item | undefined> {
  const outbox = describeOutbox(claim.destination)
  const { pause, trip } = await readBreaker(db, outbox)
  if (pause !== null || trip === null || trip.probeAt > claim.now) return undefined
  const chosen = await chooseProbe(db, outbox, trip, claim.now)
  if (chosen === undefined) return undefined
  return runInTransaction(db, async (store) => {
    // This update succeeds for one worker only. If the worker dies, another probe is allowed when the worker's lease
    // ends.
    const taken = await updateBreaker(store, outbox)
      .set({ probe: claim.lease, probe_at: claim.leaseUntil })
      .where('probe_at', '<=', claim.now)
      .where('paused_by', 'is distinct from', 'operator')
      .executeTakeFirst()
    if (taken.numUpdatedRows === 0n) return undefined
    const {
      items: [item],
    } = await claimItemById(store, chosen.id, claim, readItems)
    // Another worker has claimed the chosen delivery meanwhile, or a cap holds the delivery.
    if (item === undefined) await releaseProbe(store, outbox, claim)
    return item && { ...item, probe: chosen.kind }
  })
}

/** Allows another probe immediately, unless a probe with another lease has begun. */
async function releaseProbe(
  store: Store,
  outbox: Outbox,
  { now, lease }: Pick<ProbeClaim, 'now' | 'lease'>,
): Promise<void> {
  await updateBreaker(store, outbox)
    .set({ probe: null, probe_at: now })
    .where('probe', '=', lease)
    .execute()
}

/** How many of the oldest deliveries a probe is chosen from, so that the choice is fast however many wait. */
const maxCandidates = 1000

/**
 * Chooses the delivery to send as a probe. Among the due deliveries that nobody has tried since the breaker opened, it
 * prefers those without a counted failure, and chooses at random, so that many bad leads cannot hide a good lead. If all
 * have been tried, it chooses none until `repeatAt`, and then the delivery that has waited longest.
 */
async function chooseProbe(
  db: Store,
  outbox: Outbox,
  trip: BreakerTrip,
  now: number,
): Promise<{ readonly id: string; readonly kind: ProbeKind } | undefined> {
  const openDeliveries = db
    .selectFrom(outbox.table)
    .where('settled_at', 'is', null)
    .where(outbox.isOwn)
  const untried = openDeliveries
    .select(['id', 'attempts', 'spared'])
    .where('next_at', '<=', now)
    .where(outbox.isUntriedSince(trip.since))
    .orderBy('next_at')
    .limit(maxCandidates)
  const chosen = await db
    .selectFrom(untried.as('untried'))
    .select('id')
    .orderBy(sql`case when attempts > spared then 1 else 0 end`)
    .orderBy(sql`random()`)
    .limit(1)
    .executeTakeFirst()
  if (chosen !== undefined) return { id: chosen.id, kind: 'untried' }
  if (trip.repeatAt > now) return undefined
  const repeat = await openDeliveries
    .select('id')
    .where(({ eb, or, and }) =>
      or([
        and([eb('lease', 'is', null), eb('waits_since', '>=', trip.since)]),
        eb('next_at', '<=', now),
      ]),
    )
    .orderBy((eb) => eb.fn.coalesce('waits_since', 'next_at'))
    .limit(1)
    .executeTakeFirst()
  return repeat && { id: repeat.id, kind: 'repeat' }
}
