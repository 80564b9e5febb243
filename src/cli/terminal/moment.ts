import { InvalidArgumentError } from 'commander'
import ms from 'ms'

const dayMs = 24 * 60 * 60 * 1000

/** The beginning of a day (UTC), a point in time, or how long ago, as epoch milliseconds. */
export const fromMoment = (text: string): number => read(text).start

/** The same, but a day counts to its end. */
export const toMoment = (text: string): number => read(text).end

function read(text: string): { start: number; end: number } {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) {
    const start = Date.parse(text)
    // Date.parse makes 30 February a day of March.
    if (!Number.isNaN(start) && new Date(start).toISOString().startsWith(text)) {
      return { start, end: start + dayMs }
    }
  }
  const age = /^\d+(ms|s|m|h|d|w)$/.test(text) ? ms(text as ms.StringValue) : undefined
  const at = age === undefined ? timeOf(text) : Date.now() - age
  if (at === undefined) {
    throw new InvalidArgumentError(
      'Give a day (2026-01-31), a time (2026-01-31T12:00Z) or an age (24h, 7d).',
    )
  }
  return { start: at, end: at }
}

function timeOf(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}
