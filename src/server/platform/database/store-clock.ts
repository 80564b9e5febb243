import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { makeFailureLog } from '../observability/failure-log.ts'
import { makePollingLoop } from '../polling-loop.ts'
import type { StoreTables } from './tables/store-tables.ts'

export type StoreClock = ReturnType<typeof makeStoreClock>

/** A process says that its machine's clock differs from the database's by more than this, in milliseconds. */
const toleratedMs = 5000

interface OwnClocks {
  /** The machine's clock, in epoch milliseconds. */
  readonly wall: () => number
  /** A clock that never jumps, in milliseconds. */
  readonly monotonic: () => number
}

/**
 * Makes the clock of all times that the product stores and compares. On PostgreSQL it shows the database's time, because
 * processes share leases and due times, while the clocks of their machines may differ or jump.
 * @param readTime reads the database's time in epoch milliseconds; undefined on SQLite, whose only server needs no
 *   common time
 */
export function makeStoreClock(
  readTime: (() => Promise<number>) | undefined,
  { wall = Date.now, monotonic = () => performance.now() }: Partial<OwnClocks> = {},
) {
  let measured: { readonly offset: number; readonly inaccuracy: number } | undefined
  const now = (): number =>
    measured === undefined ? wall() : Math.round(monotonic() + measured.offset)
  return {
    now,
    /** Compares the clock with the database's. Call this function at the start and regularly. */
    measure: async (): Promise<void> => {
      if (readTime === undefined) return
      const askedAt = monotonic()
      const time = await readTime()
      // The database read its clock between the question and the answer: the offset is within these two limits.
      const [least, most] = [time - monotonic(), time - askedAt]
      const inaccuracy = (most - least) / 2
      // A slow answer moves the clock only as far as the answer proves.
      const offset = Math.min(Math.max(measured?.offset ?? least + inaccuracy, least), most)
      measured = { offset, inaccuracy }
    },
    /** How far the machine's clock is ahead of the database's, in milliseconds; negative if it is behind. */
    aheadMs: (): number => wall() - now(),
    /** Returns whether the machine's clock certainly differs from the database's by more than is tolerated. */
    isWrong: (): boolean =>
      measured !== undefined && Math.abs(wall() - now()) - measured.inaccuracy > toleratedMs,
  }
}

/** Describes a wrong clock, as in `7200 s ahead of the database’s`. */
export const describeClockDifference = (aheadMs: number): string =>
  `${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database’s`

/** How often a process compares its clock with PostgreSQL's, in milliseconds. */
const measureEveryMs = 5000

interface ClockWatchDependencies {
  readonly db: Kysely<StoreTables>
  readonly storeClock: StoreClock
  /** The name under which other processes see this one. */
  readonly server: string
  readonly log: Logger
}

/** Measures the database's time regularly, and tells operators if this machine's clock differs. */
export function makeClockWatch({ db, storeClock, server, log }: ClockWatchDependencies) {
  const failureLog = makeFailureLog(log, {
    begins: 'the clock of this machine is wrong: the database’s time counts',
    ends: 'the clock of this machine is right again',
  })
  const withdraw = () => db.deleteFrom('clock_differences').where('server', '=', server).execute()
  let isTold = false
  const watch = async (): Promise<number> => {
    await storeClock.measure()
    const [ahead_ms, seen_at] = [Math.round(storeClock.aheadMs()), storeClock.now()]
    if (storeClock.isWrong()) {
      const clock = describeClockDifference(ahead_ms)
      failureLog.failed(undefined, { clock }, 'warn')
      await db
        .insertInto('clock_differences')
        .values({ server, ahead_ms, seen_at })
        .onConflict((conflict) => conflict.column('server').doUpdateSet({ ahead_ms, seen_at }))
        .execute()
      isTold = true
    } else {
      failureLog.succeeded()
      if (isTold) await withdraw()
      isTold = false
    }
    return measureEveryMs
  }
  // Other loops already report a store that does not answer.
  const silent = { failed: () => undefined, succeeded: () => undefined }
  const loop = makePollingLoop(watch, silent, measureEveryMs)
  return {
    start: loop.start,
    stop: async () => {
      await loop.stop()
      if (isTold) await withdraw().catch(() => undefined)
    },
  }
}
