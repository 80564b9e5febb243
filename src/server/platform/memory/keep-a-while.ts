import { OwnError } from '#domain/own-error.ts'

/** Unless it took so long that reading again so soon would be a tenth of all time: counts grow with the store. */
const heldAtMostMs = 10_000
const heldAtLeastTimes = 9

/** Prometheus waits for 10 s, and a line to the database that fell silent is met later. */
const waitAtMostMs = 8000

/**
 * Reads again only when the last reading has been held long enough; one that failed is not held. However long the store
 * takes, it is not asked twice at once, and nobody waits longer than 8 s.
 * @param heldTimes how many times as long as it took a reading is held
 */
export function keepAWhile<Reading>(
  read: () => Promise<Reading>,
  heldTimes: number,
): () => Promise<Reading> {
  let kept: Promise<Reading> | undefined
  let keptUntil = Number.POSITIVE_INFINITY
  const start = async () => {
    const startedAt = performance.now()
    keptUntil = Number.POSITIVE_INFINITY
    return read().finally(() => {
      const endedAt = performance.now()
      const tookMs = endedAt - startedAt
      keptUntil =
        endedAt +
        Math.max(
          Math.min(tookMs * heldTimes, heldAtMostMs),
          tookMs * Math.min(heldTimes, heldAtLeastTimes),
        )
    })
  }
  return () => {
    if (kept !== undefined && performance.now() < keptUntil) return soon(kept)
    const started = start()
    kept = started
    started.catch(() => {
      if (kept === started) kept = undefined
    })
    return soon(started)
  }
}

function soon<Reading>(reading: Promise<Reading>): Promise<Reading> {
  const { promise, resolve, reject } = Promise.withResolvers<Reading>()
  const tooLate = setTimeout(
    () => reject(new OwnError(`The store has not answered for ${waitAtMostMs} ms.`)),
    waitAtMostMs,
  )
  reading.then(resolve, reject).finally(() => clearTimeout(tooLate))
  return promise
}
