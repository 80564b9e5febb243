/** Nobody asks for more than the month after which a cap ends, and a number without bound would not fit a time. */
const maxWaitMs = 31 * 24 * 60 * 60 * 1000

/**
 * A Retry-After header in milliseconds from `now`, at most 31 days: seconds or an HTTP date (RFC 9110, 10.2.3).
 * Undefined where it is missing or neither.
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const value = header?.trim() ?? ''
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, maxWaitMs)
  // Date.parse alone would take "1.5" for a day in 2001.
  if (!/^[A-Za-z]{3,9},? .*\d\d:\d\d:\d\d/.test(value)) return undefined
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.min(Math.max(0, at - now), maxWaitMs)
}
