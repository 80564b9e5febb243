import type { Logger } from 'pino'
import { describeClockDifference } from '#server/platform/database/store-clock.ts'
import { makeFailureLog } from '#server/platform/observability/failure-log.ts'
import { makePollingLoop } from '#server/platform/polling-loop.ts'
import type { Store } from '#server/store/open-store.ts'

/** How often a process compares its clock with PostgreSQL's, in milliseconds. */
const measureEveryMs = 5000

interface ClockWatchDependencies {
  readonly store: Pick<Store, 'clock' | 'storeClock' | 'database'>
  /** The name under which other processes see this one. */
  readonly server: string
  readonly log: Logger
}

/** Measures the database's time regularly, and tells operators if this machine's clock differs. */
export function makeClockWatch({ store, server, log }: ClockWatchDependencies) {
  const { db } = store.database
  const failureLog = makeFailureLog(log, {
    begins: 'the clock of this machine is wrong: the database’s time counts',
    ends: 'the clock of this machine is right again',
  })
  const withdraw = () => db.deleteFrom('clock_differences').where('server', '=', server).execute()
  let isTold = false
  const watch = async (): Promise<number> => {
    await store.storeClock.measure()
    const [ahead_ms, seen_at] = [Math.round(store.storeClock.aheadMs()), store.clock()]
    if (store.storeClock.isWrong()) {
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
