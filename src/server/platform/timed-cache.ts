import { LoggableError } from '#domain/loggable-error.ts'

/** A reading is kept for at most this many milliseconds, unless reading again would take more than a tenth of the time. */
const maxLifetimeMs = 10_000
const minLifetimeFactor = 9

/** Less than the 10 s that Prometheus waits, and more than it takes to detect a dead database connection. */
const maxWaitMs = 8000

type CacheLifetime =
  /** Keeps a reading for this many times as long as it took. A failed reading is not kept. */
  | { readonly times: number }
  /** Keeps a reading for this many milliseconds from its start, even a failed one. */
  | { readonly everyMs: number }

/**
 * Shares one reading between all callers until its lifetime is over. Never reads twice at once, however long the store
 * takes. A caller waits for at most 8 s, and then gets a `LoggableError`.
 */
export function timedCache<Reading>(
  read: () => Promise<Reading>,
  held: CacheLifetime,
): () => Promise<Reading> {
  let kept: Promise<Reading> | undefined
  let keptUntil = Number.POSITIVE_INFINITY
  const start = (): Promise<Reading> => {
    const startedAt = performance.now()
    keptUntil = Number.POSITIVE_INFINITY
    const reading = read().finally(() => {
      keptUntil =
        'everyMs' in held
          ? startedAt + held.everyMs
          : performance.now() + shareOf(performance.now() - startedAt, held.times)
    })
    reading.catch(() => {
      if ('times' in held) kept = undefined
    })
    return reading
  }
  return () => {
    if (kept === undefined || performance.now() >= keptUntil) kept = start()
    return withinWait(kept)
  }
}

const shareOf = (tookMs: number, times: number): number =>
  Math.max(Math.min(tookMs * times, maxLifetimeMs), tookMs * Math.min(times, minLifetimeFactor))

function withinWait<Reading>(reading: Promise<Reading>): Promise<Reading> {
  const { promise, resolve, reject } = Promise.withResolvers<Reading>()
  const tooLate = setTimeout(
    () => reject(new LoggableError(`The store has not answered for ${maxWaitMs} ms.`)),
    maxWaitMs,
  )
  reading.then(resolve, reject).finally(() => clearTimeout(tooLate))
  return promise
}
