import { answerLimitMs } from '#content/ui-constants.ts'

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
  const limit = new Promise<never>((_, reject) => {
    setTimeout(() => reject(timeIsUp()), answerLimitMs)
  })
  // Whoever has been answered before waits for it no longer.
  limit.catch(() => undefined)
  return limit
}

const timeIsUp = () => new DOMException('no answer in time', 'TimeoutError')
