import { LRUCache } from 'lru-cache'
import { LoggableError } from '#domain/loggable-error.ts'

/** The longest that a caller waits, in milliseconds: Prometheus waits 10 s, and a dead connection is found earlier. */
const maxWaitMs = 8000

/** The longest lifetime of a failure, in milliseconds. */
const maxFailureLifetimeMs = 1000

/** Returns a lifetime that is a multiple of the reading time, so that reading takes a limited share of the time. */
export const makeProportionalLifetime = (factor: number) => (tookMs: number) =>
  Math.min(tookMs * factor, 10_000)

/**
 * Makes a cache that shares one value between all callers until its lifetime is over, and never reads twice at once. A
 * caller waits for at most 8 s, and then gets a `LoggableError`.
 * @param lifetimeMs returns how long to keep a value from how long reading took, in milliseconds; a failure is kept for
 *   a second at most. By default, only callers that wait at the same time share a value.
 */
export function makeTimedCache<Value>(
  read: () => Promise<Value>,
  lifetimeMs: (tookMs: number) => number = () => 0,
): () => Promise<Value> {
  let cached: Promise<Value> | undefined
  let expiresAt = 0
  const start = (): Promise<Value> => {
    const startedAt = performance.now()
    const keep = (maxMs: number) => {
      const now = performance.now()
      expiresAt = now + Math.min(lifetimeMs(now - startedAt), maxMs)
    }
    expiresAt = Number.POSITIVE_INFINITY
    const value = read()
    value.then(
      () => keep(Number.POSITIVE_INFINITY),
      () => keep(maxFailureLifetimeMs),
    )
    return value
  }
  return () => {
    if (cached === undefined || performance.now() >= expiresAt) cached = start()
    const { promise: tooLate, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => reject(new LoggableError(`The store has not answered for ${maxWaitMs} ms.`)),
      maxWaitMs,
    )
    return Promise.race([cached, tooLate]).finally(() => clearTimeout(timer))
  }
}

/** Makes a cache with a value for each of the latest `maxKeys` keys: see {@link makeTimedCache}. */
export function makeKeyedTimedCache<Value>(
  read: (key: string) => Promise<Value>,
  lifetimeMs: (tookMs: number) => number,
  maxKeys: number,
): (key: string) => Promise<Value> {
  const caches = new LRUCache<string, () => Promise<Value>>({
    max: maxKeys,
    memoMethod: (key) => makeTimedCache(() => read(key), lifetimeMs),
  })
  return (key) => caches.memo(key)()
}
