import { day } from '../durations.ts'
import type { FunnelRange } from './funnel.ts'

export const weekMs = 7 * day

/** The first Monday of the Unix epoch, in milliseconds. */
export const firstMonday = 4 * day

export const startOfUtcDay = (at: number): number => at - (at % day)

/** Returns the start of a time's week: midnight (UTC) on Monday. */
export const startOfUtcWeek = (at: number): number => at - ((at - firstMonday) % weekMs)

/** A page compares whole days or whole weeks: by default today and the 29 days before, or this week and three more. */
const units = {
  days: { ms: day, toStart: startOfUtcDay, byDefault: 30 },
  weeks: { ms: weekMs, toStart: startOfUtcWeek, byDefault: 4 },
}

/**
 * Widens a range to whole UTC days or weeks, up to now. `before` is the same number of days or weeks just before, up to
 * the same time of day. Times are epoch milliseconds.
 */
export function makeComparedPeriods(
  { from, to = Number.POSITIVE_INFINITY }: { readonly from?: number; readonly to?: number },
  unit: keyof typeof units,
  now: number,
): Readonly<Record<'range' | 'before', FunnelRange>> {
  const { ms, toStart, byDefault } = units[unit]
  const last = Math.min(to, now) - 1
  const since =
    from === undefined ? toStart(last) - (byDefault - 1) * ms : toStart(Math.min(from, last))
  const until = Math.min(now, toStart(last) + ms)
  const length = Math.ceil((until - since) / ms) * ms
  return { range: { since, until }, before: { since: since - length, until: until - length } }
}

/** Why an earlier period can't be compared; undefined if it can. */
export interface Comparison {
  readonly noVisits: string | undefined
  readonly noLeads: string | undefined
}

/** Says why a period can't be compared with the earlier one; empty if it can. */
export function describeMissingComparison({ noVisits, noLeads }: Comparison): string {
  const reasons = [noVisits, noLeads].filter((reason) => reason !== undefined)
  if (reasons.length === 0) return ''
  const scope = noLeads === undefined ? ' of visits' : noVisits === undefined ? ' of leads' : ''
  return `No comparison${scope}: ${reasons.join(', and ')}.`
}
