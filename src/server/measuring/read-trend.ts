import { startOfDay } from '#domain/calendar.ts'
import { day } from '#domain/durations.ts'
import { countsLeadsOnly } from '#domain/measuring/funnel.ts'
import { findAcceptanceRate, makeFunnelFigures } from '#domain/measuring/funnel-figures.ts'
import type { Period, PeriodUnit } from '#domain/measuring/periods.ts'
import { chooseUnit, listSpans, type TrendSpan, toSpanKey } from '#domain/measuring/trend.ts'
import { emptyLedgerSums, findMargin, type LedgerSums } from '#domain/money/ledger.ts'
import { type DailyMoney, type FunnelReader, knowsSpend, type MoneyQuery } from './funnel-reader.ts'

export type TrendMeasures = ReturnType<typeof measure>

export type TrendPoint = TrendSpan & TrendMeasures

export interface Trend {
  readonly unit: PeriodUnit
  /** The units that fit the range. */
  readonly units: readonly PeriodUnit[]
  readonly points: readonly TrendPoint[]
  readonly total: TrendMeasures
  /** False if the filter selects leads by what no visit has, such as a state. */
  readonly hasVisits: boolean
  /** False if the margin leaves out ad spend, because the filter can't select it. */
  readonly hasSpend: boolean
}

interface TrendQuery extends Omit<MoneyQuery, keyof Period> {
  readonly range: Period
  readonly unit: PeriodUnit | undefined
  readonly zone: string
}

/** Reads the measures of a range by day, week or month. The sums of the points are the figures of the range. */
export async function readTrend(
  funnel: FunnelReader,
  { range, unit: asked, zone, ...filter }: TrendQuery,
): Promise<Trend> {
  const { unit, fitting } = chooseUnit(range, asked)
  const isRunning = range.until < startOfDay(range.last + day, zone)
  const spans = listSpans(range, unit, isRunning)
  const first = spans[0]?.first ?? range.first
  const query = { ...range, first, ...filter }
  if (first > range.first) query.since = startOfDay(first, zone)
  const [visits, leads, money] = await Promise.all([
    funnel.visitsBy({ ...query, by: unit }),
    funnel.leads({ ...query, by: unit }),
    funnel.moneyByDay(query),
  ])
  const toKey = ({ value }: { readonly value: unknown }) => toSpanKey(Number(value), unit)
  const visitsOf = Map.groupBy(visits, toKey)
  const leadsOf = Map.groupBy(leads, toKey)
  const moneyOf = Map.groupBy(money, (row) => toSpanKey(row.day, unit))
  const sumSeen = (rows: typeof visits) => rows.reduce((sum, { seen }) => sum + seen, 0)
  const points = spans.map((span) => {
    const key = toSpanKey(span.first, unit)
    const seen = sumSeen(visitsOf.get(key) ?? [])
    return { ...span, ...measure(seen, leadsOf.get(key) ?? [], moneyOf.get(key) ?? []) }
  })
  const total = measure(sumSeen(visits), leads, money)
  return {
    unit,
    units: fitting,
    points,
    total,
    hasVisits: !countsLeadsOnly(filter.filter),
    hasSpend: knowsSpend(filter),
  }
}

function measure(
  seen: number,
  outcomes: Parameters<typeof makeFunnelFigures>[1],
  money: readonly DailyMoney[],
) {
  const { visits, leads, byStatus } = makeFunnelFigures({ seen }, outcomes)
  const { delivered: accepted = 0, rejected = 0 } = byStatus
  const add = (one: number | null, other: number | null) =>
    one === null || other === null ? (one ?? other) : one + other
  const none: LedgerSums = { ...emptyLedgerSums, owedCents: null, revenueCents: null }
  const ledger = money.reduce(
    (sums, { ledger: { accepted, returned, owedCents, revenueCents } = none }) => ({
      accepted: sums.accepted + accepted,
      returned: sums.returned + returned,
      owedCents: add(sums.owedCents, owedCents),
      revenueCents: add(sums.revenueCents, revenueCents),
    }),
    none,
  )
  const spend = money.reduce((sum, { spendCents = 0 }) => sum + spendCents, 0)
  // Without an accepted or returned lead there is no revenue, and the spend is the loss.
  const isEmpty = ledger.accepted + ledger.returned === 0
  return {
    visits,
    leads,
    accepted,
    rate: findAcceptanceRate(accepted, rejected),
    hasRevenue: ledger.revenueCents !== null,
    /** US cents; null if no revenue is known for the leads. */
    marginCents: findMargin(isEmpty ? emptyLedgerSums : ledger, spend),
  }
}
