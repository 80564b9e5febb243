/** How long a visitor waits for an answer, in milliseconds; after that the form says so and can be tried again. */
export const answerLimitMs = 15_000

/**
 * Does what takes a signal, and ends it when the time is up.
 * @throws a `TimeoutError` then
 */
export async function withinLimit<Answer>(
  work: (signal: AbortSignal) => Promise<Answer>,
  limitMs = answerLimitMs,
): Promise<Answer> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(timeIsUp()), limitMs)
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
  }
}

/** Rejects when the time is up that begins now: for several calls that have it together. */
export function untilLimit(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  setTimeout(() => reject(timeIsUp()), answerLimitMs)
  // Whoever has been answered before waits for it no longer.
  promise.catch(() => undefined)
  return promise
}

const timeIsUp = () => new DOMException('no answer in time', 'TimeoutError')
