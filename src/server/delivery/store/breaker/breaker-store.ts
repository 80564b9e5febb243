import type { Kysely } from 'kysely'
import {
  afterAnswer,
  afterFailedProbe,
  type FailedProbe,
  type Pause,
  type ProbeKind,
  startProbeEvery,
  type Trip,
  type TripOrder,
  tripped,
} from '#domain/delivery/breaker.ts'
import { culpritOf, patienceAfter, patienceAfterResume } from '#domain/delivery/culprit.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { BreakerStore, HeldBy } from '../../breaker-store.ts'
import { noteEnd, noteHold, noteTrip } from '../holds/note-holds.ts'
import { releaseWaiting } from '../release-waiting.ts'
import {
  type BreakerColumns,
  columnsOf,
  columnsOfPatience,
  type LockedBreaker,
  lockBreaker,
  noPause,
  noTrip,
  readBreaker,
  updateBreaker,
} from './breaker-row.ts'
import { chooseProbe } from './choose-probe.ts'
import { giveProbeBack } from './claim-probe.ts'

type Store = Kysely<StoreTables>

/** Each step is one guarded statement or one transaction on the one row, so that of several processes one alone takes it. */
export function makeBreakerStore(db: Store): BreakerStore {
  return {
    read: () => retryConflicts(() => readBreaker(db)),
    pause: (order) => onRow(db, (store, breaker) => pause(store, breaker, order)),
    resume: (order) => onRow(db, (store, breaker) => resume(store, breaker, order)),
    trip: (order) => onRow(db, (store, breaker) => trip(store, breaker, order)),
    answered: (lead, at) => onRow(db, (store, breaker) => answer(store, breaker, { lead, at })),
    probeFailed: (probe) => onRow(db, (store, breaker) => endProbe(store, breaker, probe)),
    probeNotMade: async ({ lease, at }) => {
      await retryConflicts(() => giveProbeBack(db, { lease, now: at }))
    },
    workerStarted: async (at) => {
      await retryConflicts(() => letStartProbe(db, at).execute())
    },
  }
}

const onRow = <Result>(
  db: Store,
  step: (store: Store, breaker: LockedBreaker) => Promise<Result>,
): Promise<Result> =>
  retryConflicts(() =>
    db.transaction().execute(async (store) => step(store, await lockBreaker(store))),
  )

const letStartProbe = (db: Store, at: number) =>
  updateBreaker(db)
    .set({ probe: null, probe_at: at, repeat_at: at, start_probe_at: at })
    .where('probe_at', 'is not', null)
    .where((eb) =>
      eb.or([eb('start_probe_at', 'is', null), eb('start_probe_at', '<=', at - startProbeEvery)]),
    )

const write = (store: Store, columns: BreakerColumns) => updateBreaker(store).set(columns).execute()

async function pause(
  store: Store,
  { pause, trip }: LockedBreaker,
  { reason, at, by }: HeldBy,
): Promise<boolean> {
  const noted = { kind: 'pause', reason, since: at, at, by } as const
  if (pause !== null) {
    await noteEnd(store, 'pause', { at, by })
    await noteHold(store, noted)
    // The time is the reason's: with the earlier one, a restore of today would be said to have begun yesterday.
    await write(store, { pause_reason: reason, paused_at: at })
    return false
  }
  // The row has one place for either: what being refused cost is made up for now, as nobody will know later.
  if (trip?.cause === 'refused') {
    await releaseWaiting(store, trip.since)
    await write(store, noTrip)
    await noteEnd(store, 'trip', { at, by })
  }
  await write(store, { paused_by: 'operator', pause_reason: reason, paused_at: at })
  await noteHold(store, noted)
  return true
}

async function resume(
  store: Store,
  { pause, trip }: LockedBreaker,
  order: HeldBy,
): Promise<boolean> {
  if (pause === null && trip === null) return false
  const patience = trip === null ? undefined : patienceAfterResume(trip, trip.since)
  await write(store, { ...noPause, ...noTrip, ...(patience && columnsOfPatience(patience)) })
  if (trip !== null) await releaseWaiting(store, trip.since)
  for (const family of ['pause', 'trip'] as const) await noteEnd(store, family, order)
  return true
}

async function trip(
  store: Store,
  { pause, trip, patience }: LockedBreaker,
  order: TripOrder,
): Promise<boolean> {
  if (pause !== null || trip !== null) return false
  await write(store, columnsOf(tripped(order, patience)))
  const { cause: kind, reason, since, at } = order
  await noteHold(store, { kind, reason, since, at })
  return true
}

interface Answer {
  readonly lead: ProbeKind
  readonly at: number
}

async function answer(store: Store, breaker: LockedBreaker, answered: Answer): Promise<boolean> {
  const { pause, trip } = breaker
  if (trip === null) return false
  const next = afterAnswer(trip, answered.lead, answered.at)
  if (pause === null && next !== undefined) {
    const chosen = await chooseProbe(store, next, answered.at)
    if (chosen?.kind === 'first') {
      await write(store, columnsOf(next))
      return false
    }
  }
  return close(store, { pause, trip }, answered)
}

async function close(
  store: Store,
  { pause, trip }: { readonly pause: Pause | null; readonly trip: Trip },
  { lead, at }: Answer,
): Promise<boolean> {
  const patience = patienceAfter(trip, lead, at)
  await write(store, {
    ...(pause === null ? noPause : {}),
    ...noTrip,
    ...(patience && columnsOfPatience(patience)),
  })
  await noteEnd(store, 'trip', { at })
  if (culpritOf(trip, lead) === 'the distributor') await releaseWaiting(store, trip.since)
  return true
}

async function endProbe(
  store: Store,
  { pause, trip, probe }: LockedBreaker,
  { lease, ...failed }: FailedProbe & { readonly lease: string },
): Promise<void> {
  if (pause !== null || trip === null || probe !== lease) return
  const next = afterFailedProbe(trip, failed)
  await write(store, columnsOf(next))
  if (next.cause !== trip.cause || next.reason !== trip.reason) {
    await noteTrip(store, { kind: next.cause, reason: next.reason })
  }
}
