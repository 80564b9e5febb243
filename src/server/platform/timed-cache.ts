import { LoggableError } from '#domain/loggable-error.ts'

/** At most so long, in milliseconds, unless the next reading would then take more than a tenth of the time. */
const maxLifetimeMs = 10_000
const minLifetimeFactor = 9

/** Prometheus waits for 10 s, and a database connection that went silent is detected sooner. */
const waitAtMostMs = 8000

type CacheLifetime =
  /** So many times as long as the reading took. A failed reading is not held. */
  | { readonly times: number }
  /** So many milliseconds from its start, a failed reading included. */
  | { readonly everyMs: number }

/**
 * Shares one reading between all callers, and reads again only when it has been held long enough. Never reads twice at
 * once, however long the store takes; a caller waits for 8 s at most, then gets an `LoggableError`.
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
    () => reject(new LoggableError(`The store has not answered for ${waitAtMostMs} ms.`)),
    waitAtMostMs,
  )
  reading.then(resolve, reject).finally(() => clearTimeout(tooLate))
  return promise
}
