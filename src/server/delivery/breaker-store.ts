import { type Kysely, type Selectable, sql, type Updateable } from 'kysely'
import {
  type BreakerState,
  type BreakerTrip,
  type BreakerTripStart,
  closedBreaker,
  type FailedProbe,
  makeBreakerTrip,
  minStartProbeIntervalMs,
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
import { findOutbox, formatDestinationKey, type Outbox } from './outbox.ts'
import { maxUncountedAttempts } from './record-attempts.ts'

type Store = Kysely<StoreTables>
type Columns = Updateable<StoreTables['delivery_gate']>

export interface PauseRequest {
  /** The operator's reason, without personal data; may be empty. */
  readonly reason: string
  readonly at: number
}

export type BreakerStore = ReturnType<typeof makeBreakerStore>

/**
 * Reads and changes a circuit breaker: one database row that every worker of every process obeys. Each method changes the
 * row in one statement or transaction, so only one process makes each change. `at` is epoch milliseconds.
 * @param destination a webhook or affiliate, which has a breaker of its own; undefined for the distributor
 */
export function makeBreakerStore(db: Store, destination?: Destination) {
  const outbox = findOutbox(destination)
  /** Locks the breaker's row until the transaction ends, on both databases, with an update that changes nothing. */
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
     * Stops all deliveries until `resume`. A pause ends a trip, and leads that failed during the trip get their attempt
     * back.
     * @returns false if deliveries were paused already; the new reason and time replace the old ones
     */
    pause: ({ reason, at }: PauseRequest) =>
      locked(async (store, { pause, trip }) => {
        if (trip !== null) await makeWaitingDue(store, outbox, trip.since)
        const paused = { paused_by: 'operator', pause_reason: reason, paused_at: at } as const
        await writeBreaker(store, outbox, { ...closedColumns, ...paused })
        return pause === null
      }),
    /**
     * Ends a pause or a trip. Leads that failed during the trip become due.
     * @returns false if the breaker was closed
     */
    resume: (_: PauseRequest) =>
      locked(async (store, { pause, trip }) => {
        if (pause === null && trip === null) return false
        if (trip !== null) await makeWaitingDue(store, outbox, trip.since)
        await writeBreaker(store, outbox, closedColumns)
        return true
      }),
    /** Opens the breaker: from now on, workers send one probe at a time. @returns false if the breaker is not closed */
    trip: (newTrip: BreakerTripStart) =>
      locked(async (store, { pause, trip }) => {
        if (pause !== null || trip !== null) return false
        await writeBreaker(store, outbox, toTripColumns(makeBreakerTrip(newTrip)))
        return true
      }),
    /**
     * Ends a trip after the distributor answered a probe. If the distributor caused the trip, leads that failed during
     * the trip get their attempt back. @returns false if there was no trip
     */
    answered: (probe: ProbeKind) =>
      locked(async (store, { trip }) => {
        if (trip === null) return false
        if (wasDistributorAtFault(trip, probe)) await makeWaitingDue(store, outbox, trip.since)
        await writeBreaker(store, outbox, closedColumns)
        return true
      }),
    /** Records a failed probe, if `lease` is the lease of the current probe. */
    probeFailed: ({ lease, ...failed }: FailedProbe & { readonly lease: string }) =>
      locked(async (store, { trip }, probe) => {
        if (trip === null || probe !== lease) return
        await writeBreaker(store, outbox, toTripColumns(recordFailedProbe(trip, failed)))
      }),
    /** Allows the next probe at once, because the worker with this lease sent no probe. */
    probeNotMade: ({ lease, at }: { readonly lease: string; readonly at: number }) =>
      releaseProbe(db, outbox, { lease, now: at }),
    /** Allows a probe at once when a worker starts, at most once per `minStartProbeIntervalMs`. */
    workerStarted: async (at: number) => {
      const started = updateBreaker(db, outbox)
        .set({ probe: null, probe_at: at, repeat_at: at, start_probe_at: at })
        .where('probe_at', 'is not', null)
        .where((eb) =>
          eb(eb.fn.coalesce('start_probe_at', eb.lit(0)), '<=', at - minStartProbeIntervalMs),
        )
      await started.execute()
    },
  }
}

/** Adds a destination's breaker, unless it exists. */
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

/** Reads a breaker's row. Columns keep the first schema's names, because release 0.2.0 may use the store too. */
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
 * Makes deliveries due that began to wait for another attempt at `since` or later (epoch milliseconds), and gives each
 * its attempt back. A delivery that waits because of the distributor's Retry-After keeps waiting.
 */
async function makeWaitingDue(db: Store, outbox: Outbox, since: number): Promise<void> {
  await db
    .updateTable(outbox.table)
    .set((eb) => ({
      next_at: eb.ref('created_at'),
      // Repeated probes use up no attempts, so a trip gives back at most one attempt per lead.
      spared: sql<number>`case when spared < attempts then spared + 1 else spared end`,
    }))
    .where('settled_at', 'is', null)
    .where(outbox.isOwn)
    .where('lease', 'is', null)
    .where('waits_since', '>=', since)
    .where('spared', '<', maxUncountedAttempts)
    .execute()
}

/** Claims the breaker's next probe together with the item to send. If no probe is due, the function changes nothing. */
export async function claimProbe<Item extends ClaimedItem>(
  db: Store,
  claim: ProbeClaim,
  readItems: ItemReader<Item>,
): Promise<Item | undefined> {
  const outbox = findOutbox(claim.destination)
  const { pause, trip } = await readBreaker(db, outbox)
  if (pause !== null || trip === null || trip.probeAt > claim.now) return undefined
  const chosen = await chooseProbe(db, outbox, trip, claim.now)
  if (chosen === undefined) return undefined
  return runInTransaction(db, async (store) => {
    // The conditional update gives the probe to one worker. If that worker dies, another probe is allowed when the
    // lease ends.
    const taken = await updateBreaker(store, outbox)
      .set({ probe: claim.lease, probe_at: claim.leaseUntil })
      .where('probe_at', '<=', claim.now)
      .where('paused_by', 'is distinct from', 'operator')
      .executeTakeFirst()
    if (taken.numUpdatedRows === 0n) return undefined
    const {
      items: [item],
    } = await claimItemById(store, chosen.id, claim, readItems)
    // Another worker has claimed the chosen delivery since it was read, or a cap holds it.
    if (item === undefined) await releaseProbe(store, outbox, claim)
    return item && { ...item, probe: chosen.kind }
  })
}

/** Allows another probe at once, if `lease` is the lease of the current probe. */
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

/** The probe is chosen among this many of the oldest deliveries, so the choice costs the same however many wait. */
const maxCandidates = 1000

/**
 * Chooses at random a delivery that has not failed during the trip, so that many bad leads cannot hide a good one.
 * Deliveries that never failed come first. If all have failed, the function chooses none before `repeatAt`, and then
 * the one whose failure is the oldest.
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
