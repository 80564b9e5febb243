import { type Kysely, type Selectable, sql, type Updateable } from 'kysely'
import {
  type BreakerState,
  type BreakerTrip,
  closedBreaker,
  minWorkerStartProbeIntervalMs,
  type ProbeKind,
  scheduleProbe,
  wasDistributorAtFault,
} from '#domain/delivery/breaker.ts'
import type { Destination } from '#domain/notifications/notification.ts'
import { runInTransaction } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import {
  type ClaimedItem,
  claimItems,
  describeOutbox,
  formatDestinationKey,
  type ItemReader,
  type LeaseRequest,
  type Outbox,
} from './claim-deliveries.ts'
import { maxUncountedAttempts } from './record-attempts.ts'

type Db = Kysely<StoreTables>
type Columns = Updateable<StoreTables['delivery_gate']>

export interface PauseRequest {
  /** Why the operator pauses the deliveries, without personal data; may be empty. */
  readonly reason: string
  readonly at: number
  /** Records the breaker's earlier state, in the transaction that changes the breaker. */
  readonly onChange?: (before: BreakerState, tx: Db) => Promise<void>
}

export interface TripStart extends Pick<BreakerTrip, 'cause' | 'reason' | 'since'> {
  readonly at: number
}

export interface FailedProbe extends Omit<TripStart, 'since'> {
  readonly lease: string
  readonly kind: ProbeKind
}

export type BreakerStore = ReturnType<typeof makeBreakerStore>

/**
 * Makes the functions that read and change a circuit breaker. A breaker is one database row, which the workers of all
 * processes obey. Each function changes the row in one statement or transaction, so two processes never make the same
 * change. `at` is in epoch milliseconds.
 * @param destination the webhook or affiliate whose breaker is meant; undefined for the distributor's breaker
 */
export function makeBreakerStore(db: Db, destination?: Destination) {
  const outbox = describeOutbox(destination)
  /** Writes the columns that `step` returns. @returns false if `step` returns none */
  const change = (
    step: (breaker: LockedBreaker, tx: Db) => Promise<Columns | undefined>,
  ): Promise<boolean> =>
    runInTransaction(db, async (tx) => {
      const columns = await step(await lockBreaker(tx, outbox), tx)
      if (columns !== undefined) await updateBreaker(tx, outbox).set(columns).execute()
      return columns !== undefined
    })
  return {
    read: async (): Promise<BreakerState> => {
      const rows = db.selectFrom(outbox.breakerTable).selectAll().where(outbox.isOwnBreaker)
      return parseBreakerRow(await rows.executeTakeFirstOrThrow())
    },
    /**
     * Pauses all deliveries until an operator resumes them. If the breaker was open, the leads that failed meanwhile
     * become due, and the failed attempt does not count.
     * @returns false if the deliveries were already paused; the new reason and time are stored even then
     */
    pause: async ({ reason, at, onChange }: PauseRequest): Promise<boolean> => {
      let wasPaused = false
      await change(async (before, tx) => {
        wasPaused = before.pause !== null
        await onChange?.(before, tx)
        if (before.trip !== null) await makeWaitingDue(tx, outbox, before.trip.since)
        return { ...closedColumns, paused_by: 'operator', pause_reason: reason, paused_at: at }
      })
      return !wasPaused
    },
    /** Ends a pause. @returns false if nobody has paused the deliveries */
    resume: ({ onChange }: PauseRequest) =>
      change(async (before, tx) => {
        if (before.pause === null) return undefined
        await onChange?.(before, tx)
        return closedColumns
      }),
    /**
     * Lets a worker send the next probe at once, even a lead that waits for its retry schedule or a Retry-After.
     * @returns false if the breaker is not open, or a probe is under way
     */
    tryNow: ({ at }: Pick<PauseRequest, 'at'>) =>
      change(async ({ trip, probe }, tx) => {
        if (trip === null || (probe !== null && trip.probeAt > at)) return undefined
        await makeNextFailedDue(tx, outbox, at)
        return { probe: null, probe_at: at, repeat_at: at }
      }),
    /** Opens the breaker, so that workers send one probe at a time. @returns false if the breaker was not closed */
    trip: ({ at, ...failure }: TripStart) =>
      change(async ({ pause, trip }) =>
        pause === null && trip === null
          ? toTripColumns(scheduleProbe({ ...failure, failedProbes: 0 }, at))
          : undefined,
      ),
    /**
     * Closes the breaker after the distributor has answered a probe. If the distributor was at fault, the leads that
     * failed while the breaker was open become due, and the failed attempt does not count.
     * @returns false if the breaker was not open
     */
    answered: (probe: ProbeKind) =>
      change(async ({ trip }, tx) => {
        if (trip === null) return undefined
        if (wasDistributorAtFault(trip, probe)) await makeWaitingDue(tx, outbox, trip.since)
        return closedColumns
      }),
    /** Records that the probe with this lease failed, unless another probe has begun since. */
    probeFailed: ({ lease, kind, at, ...failure }: FailedProbe) =>
      change(async ({ trip, probe }) => {
        if (trip === null || probe !== lease) return undefined
        const failedProbes = trip.failedProbes + (kind === 'repeat' ? 0 : 1)
        return toTripColumns(scheduleProbe({ ...trip, ...failure, failedProbes }, at))
      }),
    /** Allows another probe immediately, because the worker with this lease did not send the probe. */
    probeNotMade: ({ lease, at }: Pick<FailedProbe, 'lease' | 'at'>) =>
      change(async ({ probe }) => (probe === lease ? { probe: null, probe_at: at } : undefined)),
    /** Allows a probe immediately when a worker starts, but at most once per `minWorkerStartProbeIntervalMs`. */
    workerStarted: (at: number) =>
      change(async ({ trip, startProbeAt }) =>
        trip !== null && startProbeAt <= at - minWorkerStartProbeIntervalMs
          ? { probe: null, probe_at: at, repeat_at: at, start_probe_at: at }
          : undefined,
      ),
  }
}

/** Adds the breaker of a webhook or affiliate, unless the breaker exists already. */
export async function insertBreaker(db: Db, destination: Destination): Promise<void> {
  await db
    .insertInto('notification_gates')
    .values({ id: formatDestinationKey(destination) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

const updateBreaker = (db: Db, { breakerTable, isOwnBreaker }: Outbox) =>
  db.updateTable(breakerTable).where(isOwnBreaker)

/** Locks the breaker until the transaction ends. `probe` is the lease of the probe that is under way. */
async function lockBreaker(db: Db, { breakerTable, isOwnBreaker }: Outbox) {
  const rows = db.selectFrom(breakerTable).selectAll().where(isOwnBreaker).forUpdate()
  const row = await rows.executeTakeFirstOrThrow()
  return { ...parseBreakerRow(row), probe: row.probe, startProbeAt: row.start_probe_at ?? 0 }
}

type LockedBreaker = Awaited<ReturnType<typeof lockBreaker>>

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

const toTripColumns = (trip: BreakerTrip): Columns => ({
  ...closedColumns,
  ...(trip.cause === 'refused'
    ? { paused_by: 'refusal', paused_at: trip.since, refused_probes: trip.failedProbes }
    : { outage_since: trip.since, failed_probes: trip.failedProbes }),
  pause_reason: trip.reason,
  probe_at: trip.probeAt,
  repeat_at: trip.repeatAt,
})

/**
 * Makes deliveries due if their last attempt failed at `since` or later (epoch milliseconds), and no longer counts that
 * attempt toward the retry schedule. A delivery that waits because of the distributor's Retry-After keeps waiting.
 */
async function makeWaitingDue(db: Db, outbox: Outbox, since: number): Promise<void> {
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
async function makeNextFailedDue(db: Db, outbox: Outbox, at: number): Promise<void> {
  const next = await selectOpen(db, outbox)
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

const selectOpen = (db: Db, { table, isOwn }: Outbox) =>
  db.selectFrom(table).where('settled_at', 'is', null).where(isOwn)

/**
 * Claims the breaker's next probe, together with the item to send. If the worker dies, another probe is allowed when
 * the worker's lease ends.
 * @returns undefined if no probe is due, or there is no item to send
 */
export const claimProbe = <Item extends ClaimedItem>(
  db: Db,
  claim: LeaseRequest,
  readItems: ItemReader<Item>,
): Promise<Item | undefined> =>
  runInTransaction(db, async (tx) => {
    const outbox = describeOutbox(claim.destination)
    const { pause, trip } = await lockBreaker(tx, outbox)
    if (pause !== null || trip === null || trip.probeAt > claim.now) return undefined
    const chosen = await chooseProbe(tx, outbox, trip, claim.now)
    if (chosen === undefined) return undefined
    const [item] = (await claimItems(tx, { ...claim, ids: [chosen.id] }, readItems)).items
    // Another worker may have claimed the chosen delivery meanwhile, or a cap holds the delivery.
    if (item === undefined) return undefined
    const columns = { probe: claim.lease, probe_at: claim.leaseUntil }
    await updateBreaker(tx, outbox).set(columns).execute()
    return { ...item, probe: chosen.kind }
  })

/** How many of the oldest deliveries a probe is chosen from, so that the choice is fast however many wait. */
const maxCandidates = 1000

/**
 * Chooses the delivery to send as a probe. Among the due deliveries that have not failed since the breaker opened, it
 * prefers those without a counted failure, and chooses at random, so that many bad leads cannot hide a good lead. If all
 * have failed, it chooses none until `repeatAt`, and then the delivery that has waited longest.
 */
async function chooseProbe(
  db: Db,
  outbox: Outbox,
  trip: BreakerTrip,
  now: number,
): Promise<{ readonly id: string; readonly kind: ProbeKind } | undefined> {
  const untried = selectOpen(db, outbox)
    .select(['id', 'attempts', 'spared'])
    .where('next_at', '<=', now)
    .where((eb) => eb.or([eb('waits_since', 'is', null), eb('waits_since', '<', trip.since)]))
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
  const repeat = await selectOpen(db, outbox)
    .select('id')
    .where((eb) => eb.or([eb('lease', 'is', null), eb('next_at', '<=', now)]))
    .where('waits_since', '>=', trip.since)
    .orderBy('waits_since')
    .limit(1)
    .executeTakeFirst()
  return repeat && { id: repeat.id, kind: 'repeat' }
}
