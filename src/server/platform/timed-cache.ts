import { LRUCache } from 'lru-cache'
import { LoggableError } from '#domain/loggable-error.ts'

/** The longest wait for a reading: shorter than Prometheus' 10 s, longer than detecting a dead database connection. */
const maxWaitMs = 8000

/** The longest lifetime of a failed reading, in milliseconds. */
const maxFailedMs = 1000

/** Keeps a reading for a multiple of the time it took, so that reading takes a limited share of the store's time. */
export const makeProportionalLifetime = (factor: number) => (tookMs: number) =>
  Math.min(tookMs * factor, 10_000)

/**
 * Shares one reading between all callers until its lifetime is over, and never reads twice at once. A caller waits for
 * at most 8 s, and then gets a `LoggableError`.
 * @param lifetimeMs how long a reading is kept, given how long it took, in milliseconds; a failed one at most a second. By
 *   default, only callers that wait for the same reading share it.
 */
export function makeTimedCache<Reading>(
  read: () => Promise<Reading>,
  lifetimeMs: (tookMs: number) => number = () => 0,
): () => Promise<Reading> {
  let kept: Promise<Reading> | undefined
  let keptUntil = 0
  const start = (): Promise<Reading> => {
    const startedAt = performance.now()
    keptUntil = Number.POSITIVE_INFINITY
    const keep = (maxMs: number) => {
      const now = performance.now()
      keptUntil = now + Math.min(lifetimeMs(now - startedAt), maxMs)
    }
    const reading = read()
    reading.then(
      () => keep(Number.POSITIVE_INFINITY),
      () => keep(maxFailedMs),
    )
    return reading
  }
  return () => {
    if (kept === undefined || performance.now() >= keptUntil) kept = start()
    return withTimeout(kept)
  }
}

/** Keeps a reading for each of the latest `maxKeys` keys: see {@link makeTimedCache}. */
export function makeKeyedTimedCache<Reading>(
  read: (key: string) => Promise<Reading>,
  lifetimeMs: (tookMs: number) => number,
  maxKeys: number,
): (key: string) => Promise<Reading> {
  const caches = new LRUCache<string, () => Promise<Reading>>({
    max: maxKeys,
    memoMethod: (key) => makeTimedCache(() => read(key), lifetimeMs),
  })
  return (key) => caches.memo(key)()
}

async function withTimeout<Reading>(reading: Promise<Reading>): Promise<Reading> {
  const { promise, reject } = Promise.withResolvers<never>()
  const tooLate = setTimeout(
    () => reject(new LoggableError(`The store has not answered for ${maxWaitMs} ms.`)),
    maxWaitMs,
  )
  return Promise.race([reading, promise]).finally(() => clearTimeout(tooLate))
}
