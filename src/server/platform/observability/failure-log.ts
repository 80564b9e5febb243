import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { minute } from '#domain/durations.ts'
import { describeStorageOutage } from '../faults/sanitize-error.ts'

/** How often the log repeats a lasting failure, in milliseconds. */
const repeatAfter = minute
/**
 * A failure is over once it has not occurred for this many milliseconds. Under load, some calls succeed in between, and
 * waiting calls retry only once a second.
 */
const overAfter = 2000

interface FailureMessages {
  /** The message while the failure lasts, or a function that makes it from the error. */
  readonly begins: string | ((error: unknown) => string)
  /** The message when the failure is over; without one, the log does not mention the end. */
  readonly ends?: string
}

export type FailureLog = ReturnType<typeof makeFailureLog>

/**
 * Makes a log for a lasting failure, which logs the failure when it begins, once a minute with its number of
 * occurrences, and when it is over.
 */
export function makeFailureLog(log: Logger, { begins, ends }: FailureMessages) {
  let times = 0
  let beganAt = 0
  let loggedAt = 0
  let failedAt = 0
  return {
    /**
     * @param details further fields of the log line, without personal data
     * @param level `warn` if nobody needs to act
     */
    failed: (
      error: unknown,
      details: Readonly<Record<string, string>> = {},
      level: 'error' | 'warn' = 'error',
    ): void => {
      failedAt = performance.now()
      if (times++ === 0) beganAt = failedAt
      else if (failedAt - loggedAt < repeatAfter) return
      loggedAt = failedAt
      const message = typeof begins === 'string' ? begins : begins(error)
      log[level]({ err: error, ...details, times }, message)
    },
    succeeded: (): void => {
      const now = performance.now()
      if (times === 0 || now - failedAt < overAfter) return
      const seconds = Math.round((now - beganAt) / 1000)
      if (ends !== undefined) log.warn({ times, seconds }, ends)
      times = 0
    },
  }
}

/** Makes a failure log for each kind of failure, so that each kind is logged on its own schedule. */
export function makeFailureLogs(log: Logger, begins: string): (kind: string) => FailureLog {
  const known = new LRUCache<string, FailureLog>({
    max: 100,
    memoMethod: () => makeFailureLog(log, { begins }),
  })
  return (kind) => known.memo(kind)
}

/** All loops of a process share one failure log, because they fail together when the store is unavailable. */
export function makeLoopFailureLogs(log: Logger): (work: string) => FailureLog {
  const { failed, succeeded } = makeFailureLog(log, {
    begins: 'background work failed; it is retried until it succeeds',
    ends: 'background work is running again',
  })
  return (work) => ({
    failed: (error, details) => failed(error, { work, ...details }),
    succeeded,
  })
}

/** Wraps a readiness check, and logs when the store becomes unusable and when it can be used again. */
export function makeReadinessCheck(ready: () => Promise<void>, log: Logger): () => Promise<void> {
  const failureLog = makeFailureLog(log, {
    begins: (error) => `not ready: ${describeStorageOutage(error)}`,
    ends: 'ready: the store can be used again',
  })
  return () =>
    ready().then(failureLog.succeeded, (error: unknown) => {
      failureLog.failed(error)
      throw error
    })
}
