import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { describeOutage } from '../faults/sanitize-error.ts'

/** How often the log repeats a lasting failure, in milliseconds. */
const repeatAfter = 60_000
/**
 * How long after its last occurrence a failure counts as over, in milliseconds: under load some calls succeed in
 * between, and waiting calls retry once a second.
 */
const overAfter = 2000

interface FailureWords {
  /** The message while the failure lasts, or a function of the error. */
  readonly begins: string | ((error: unknown) => string)
  /** The message when the failure is over; without one the log does not mention the end. */
  readonly ends?: string
}

/**
 * Keeps a lasting failure from filling the log: it is logged when it begins, once a minute with its number of
 * occurrences, and when it is over.
 */
export class FailureLog {
  readonly #log: Logger
  readonly #words: FailureWords
  #times = 0
  #beganAt = 0
  #loggedAt = 0
  #failedAt = 0

  constructor(log: Logger, words: FailureWords) {
    this.#log = log
    this.#words = words
  }

  /**
   * @param about further fields of the log line, without personal data
   * @param level `warn` if nobody needs to act
   */
  failed(
    error: unknown,
    about: Readonly<Record<string, string>> = {},
    level: 'error' | 'warn' = 'error',
  ): void {
    const now = performance.now()
    const isNew = this.#times === 0
    if (isNew) this.#beganAt = now
    this.#times++
    this.#failedAt = now
    if (!isNew && now - this.#loggedAt < repeatAfter) return
    this.#loggedAt = now
    const { begins } = this.#words
    const words = typeof begins === 'string' ? begins : begins(error)
    this.#log[level]({ err: error, ...about, times: this.#times }, words)
  }

  succeeded(): void {
    if (this.#times === 0) return
    const now = performance.now()
    if (now - this.#failedAt < overAfter) return
    const seconds = Math.round((now - this.#beganAt) / 1000)
    const { ends } = this.#words
    if (ends !== undefined) this.#log.warn({ times: this.#times, seconds }, ends)
    this.#times = 0
  }
}

/** One failure log per kind, so that each kind is logged on its own schedule. */
export function makeFailureLogs(log: Logger, begins: string): (kind: string) => FailureLog {
  const known = new LRUCache<string, FailureLog>({ max: 100 })
  return (kind) => {
    const found = known.get(kind) ?? new FailureLog(log, { begins })
    known.set(kind, found)
    return found
  }
}

export type LoopFailureLog = Pick<FailureLog, 'failed' | 'succeeded'>

/** All loops of a process share one failure log, because they fail together when the store is unavailable. */
export function makeLoopFailureLogs(log: Logger): (work: string) => LoopFailureLog {
  const failureLog = new FailureLog(log, {
    begins: 'background work failed; it is retried until it succeeds',
    ends: 'background work is running again',
  })
  return (work) => ({
    failed: (error, about) => failureLog.failed(error, { work, ...about }),
    succeeded: () => failureLog.succeeded(),
  })
}

/** Wraps a readiness check: the log says when the store becomes unusable and usable again. */
export function makeCheckStore(ready: () => Promise<void>, log: Logger): () => Promise<void> {
  const failureLog = new FailureLog(log, {
    begins: (error) => `not ready: ${describeOutage(error)}`,
    ends: 'ready: the store can be used again',
  })
  return async () => {
    try {
      await ready()
      failureLog.succeeded()
    } catch (error) {
      failureLog.failed(error)
      throw error
    }
  }
}
