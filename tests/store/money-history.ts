import fc from 'fast-check'
import { addMonths, type Day, parseDay, startOfDay, startOfMonth, toDay } from '#domain/calendar.ts'
import { day, minute } from '#domain/durations.ts'
import { type DatedValue, findDatedValue } from '#domain/money/dated-value.ts'
import { findFirstMonth, type StatementSums } from '#domain/money/statement.ts'

export const historyZone = 'America/New_York'
/** Histories take place in five months with 23- and 25-hour days. */
export const historyMonths: readonly Day[] = [
  '2026-10',
  '2026-11',
  '2026-12',
  '2027-01',
  '2027-02',
].map((month) => parseDay(`${month}-01`) ?? 0)
const [firstMonth = 0] = historyMonths

/** One thing that happens. Leads are numbered; programs are 1 and 2. */
export type HistoryEvent =
  | {
      readonly kind: 'payout' | 'revenue'
      readonly program: number | null
      readonly fromDay: Day
      readonly cents: number | null
    }
  | { readonly kind: 'accept'; readonly lead: number; readonly program: number }
  | { readonly kind: 'return' | 'erase' | 'settle again'; readonly lead: number }
  | { readonly kind: 'close'; readonly month: Day }

/** An event with the time in epoch milliseconds. */
export type History = readonly (HistoryEvent & { readonly at: number })[]

const cents = fc.option(fc.integer({ min: 0, max: 9_999_999 }), { nil: null })
// Many values begin soon, so that a lead's program and its affiliate both have some. A few begin in the past.
const daysUntil = fc
  .integer({ min: 0, max: 150 })
  .map((days) => (days < 75 ? days % 8 : days))
  .map((days) => (days - 1) * day)
const lead = fc.integer({ min: 0, max: 3 })

const event: fc.Arbitrary<HistoryEvent> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('payout' as const, 'revenue' as const),
      program: fc.constantFrom(null, 1, 2),
      fromDay: daysUntil,
      cents,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('accept' as const),
      lead,
      program: fc.constantFrom(1, 2),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('return' as const, 'erase' as const, 'settle again' as const),
      lead,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('close' as const),
      month: fc.constantFrom(...historyMonths),
    }),
  },
)

/** Makes up histories of one affiliate: payouts and revenues change, leads are accepted, returned, erased and repeated. */
export const histories: fc.Arbitrary<History> = fc
  .array(fc.tuple(event, fc.noBias(fc.integer({ min: 0, max: 12 * day }))), {
    minLength: 1,
    maxLength: 24,
    size: 'max',
  })
  .map((events) => {
    let at = startOfDay(firstMonth, historyZone)
    return events.map(([one, wait]) => {
      at += wait
      return 'fromDay' in one
        ? { ...one, at, fromDay: toDay(at, historyZone) + one.fromDay }
        : { ...one, at }
    })
  })

export interface ModelEntry {
  readonly lead: number
  readonly kind: 'accepted' | 'returned'
  readonly at: number
  /** The first day of the entry's own month. */
  readonly month: Day
  readonly payout: number | null
  readonly revenue: number | null
}

/** What a history must lead to, by the definitions in docs/measuring.md. */
export interface ModelResult {
  readonly entries: readonly ModelEntry[]
  /** The entries of each closed statement. */
  readonly closed: ReadonlyMap<Day, readonly ModelEntry[]>
  /** Whether each event was done or refused, in their order. */
  readonly done: readonly boolean[]
}

/** Remembers results, because computing with time zones takes most of the time of a thousand histories. */
const remember = (compute: (day: Day) => number) => {
  const known = new Map<Day, number>()
  return (of: Day): number => {
    const result = known.get(of) ?? compute(of)
    known.set(of, result)
    return result
  }
}
const startOf = remember((of) => startOfDay(of, historyZone))
const nextMonth = remember((month) => addMonths(month, 1))

const monthOf = (at: number): Day => startOfMonth(toDay(at, historyZone))

/** Plays a history without a store. */
export function playHistory(history: History): ModelResult {
  type Value = DatedValue & { readonly setAt: number }
  const values: Record<'payout' | 'revenue', Value[]> = { payout: [], revenue: [] }
  const acceptances: (Record<'payout' | 'revenue', number | null> & {
    readonly program: number
    readonly at: number
  })[] = []
  const isUsed = (kind: 'payout' | 'revenue', { program, fromAt, setAt, amountCents }: Value) =>
    acceptances.some(
      (one) =>
        one.at >= Math.max(fromAt, setAt - minute) &&
        (program === null || one.program === program) &&
        (amountCents === null || one[kind] === amountCents),
    )
  const entries: ModelEntry[] = []
  const closed = new Map<Day, readonly ModelEntry[]>()
  const erased = new Set<number>()
  const find = (of: number, kind: ModelEntry['kind']) =>
    entries.find((entry) => entry.lead === of && entry.kind === kind)
  const play = (one: History[number]): boolean => {
    switch (one.kind) {
      case 'payout':
      case 'revenue': {
        const { program, fromDay, cents: amountCents } = one
        const of = values[one.kind]
        const same = of.find((value) => value.program === program && value.fromDay === fromDay)
        const isOver = startOf(fromDay + day) <= one.at
        const isWrong = amountCents === null && program === null
        if (isWrong || isOver || (same && isUsed(one.kind, same))) return false
        if (same) of.splice(of.indexOf(same), 1)
        of.push({ program, fromDay, fromAt: startOf(fromDay), amountCents, setAt: one.at })
        return true
      }
      case 'accept': {
        if (find(one.lead, 'accepted') !== undefined || erased.has(one.lead)) return false
        const [payout, revenue] = [values.payout, values.revenue].map(
          (of) => findDatedValue(of, one.program, one.at)?.amountCents ?? null,
        ) as [number | null, number | null]
        const { lead, at } = one
        acceptances.push({ program: one.program, at, payout, revenue })
        entries.push({ lead, kind: 'accepted', at, month: monthOf(at), payout, revenue })
        return true
      }
      case 'return': {
        const accepted = find(one.lead, 'accepted')
        if (accepted === undefined || find(one.lead, 'returned') !== undefined) return false
        const negate = (amount: number | null) => (amount === null ? null : 0 - amount)
        const { payout, revenue } = accepted
        entries.push({
          ...accepted,
          kind: 'returned',
          at: one.at,
          month: monthOf(one.at),
          payout: negate(payout),
          revenue: negate(revenue),
        })
        return true
      }
      case 'erase':
        if (find(one.lead, 'accepted') === undefined) return false
        erased.add(one.lead)
        return true
      case 'settle again':
        return find(one.lead, 'accepted') !== undefined
      case 'close': {
        if (closed.has(one.month) || startOf(nextMonth(one.month)) > one.at) return false
        closed.set(one.month, findEntries({ entries, closed }, one.month))
        return true
      }
    }
  }
  const done = history.map(play)
  return { entries, closed, done }
}

/** The entries of a statement: those that were frozen, or those that an open statement has now. */
export function findEntries(
  { entries, closed }: Pick<ModelResult, 'entries' | 'closed'>,
  month: Day,
): readonly ModelEntry[] {
  const frozen = closed.get(month)
  if (frozen !== undefined) return frozen
  const first = findFirstMonth(month, new Set(closed.keys()))
  const taken = new Set([...closed.values()].flat())
  return entries.filter((entry) => {
    return entry.month >= first && entry.month <= month && !taken.has(entry)
  })
}

/** Adds up the entries of a statement. */
export function sumEntries(entries: readonly ModelEntry[]): StatementSums {
  const accepted = new Set(entries.filter(({ kind }) => kind === 'accepted').map((one) => one.lead))
  const returned = entries.filter(({ kind }) => kind === 'returned')
  const isHere = returned.filter((entry) => accepted.has(entry.lead)).length
  return {
    accepted: accepted.size,
    returned: isHere,
    reversed: returned.length - isHere,
    owedCents: entries.reduce((sum, { payout }) => sum + (payout ?? 0), 0),
  }
}
