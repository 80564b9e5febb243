import { startOfDay, toTimeRange } from '#domain/calendar.ts'
import { day } from '#domain/durations.ts'
import { countsLeadsOnly } from '#domain/measuring/funnel.ts'
import { findAcceptanceRate, makeFunnelFigures } from '#domain/measuring/funnel-figures.ts'
import type { Period, PeriodUnit } from '#domain/measuring/periods.ts'
import { chooseUnit, listSpans, type TrendSpan, toSpanKey } from '#domain/measuring/trend.ts'
import { addLedgerSums, findMargin } from '#domain/money/ledger.ts'
import {
  type AnswerCounts,
  type DailyMoney,
  type FunnelReader,
  knowsSpend,
  type MoneyQuery,
  type OutcomeCount,
} from './funnel-reader.ts'

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
  /** False if the filter selects rejected leads, of which none is accepted. */
  readonly hasAnswers: boolean
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
  const times = spans.map((span) => {
    const { since, until } = toTimeRange(span.first, span.last, zone)
    return { first: span.first, since, until: Math.min(until, range.until) }
  })
  const readAnswers = async () =>
    Object.keys(filter.filter).length === 0
      ? funnel.answers(times)
      : groupAnswers(await funnel.leads({ ...query, by: unit }), spans, unit)
  const [visits, answers, money] = await Promise.all([
    funnel.visitsBy({ ...query, by: unit }),
    readAnswers(),
    funnel.moneyByDay({ ...query, spans: times }),
  ])
  const visitsOf = Map.groupBy(visits, ({ value }) => toSpanKey(Number(value), unit))
  const moneyOf = Map.groupBy(money, (row) => toSpanKey(row.day, unit))
  const sumSeen = (rows: typeof visits) => rows.reduce((sum, { seen }) => sum + seen, 0)
  const points = spans.map((span, index) => {
    const key = toSpanKey(span.first, unit)
    const found = answers[index] ?? noAnswers
    return { ...span, ...measure(sumSeen(visitsOf.get(key) ?? []), found, moneyOf.get(key) ?? []) }
  })
  const total = measure(sumSeen(visits), answers.reduce(addAnswers, noAnswers), money)
  return {
    unit,
    units: fitting,
    points,
    total,
    hasVisits: !countsLeadsOnly(filter.filter),
    hasAnswers: filter.filter.reason === undefined,
    hasSpend: knowsSpend(filter),
  }
}

const noAnswers: AnswerCounts = { leads: 0, accepted: 0, rejected: 0 }

const addAnswers = (one: AnswerCounts, other: AnswerCounts): AnswerCounts => ({
  leads: one.leads + other.leads,
  accepted: one.accepted + other.accepted,
  rejected: one.rejected + other.rejected,
})

/** Adds up the counts of each span. */
function groupAnswers(
  outcomes: readonly OutcomeCount[],
  spans: readonly TrendSpan[],
  unit: PeriodUnit,
): readonly AnswerCounts[] {
  const found = Map.groupBy(outcomes, ({ value }) => toSpanKey(Number(value), unit))
  return spans.map(({ first }) => {
    const { leads, byStatus } = makeFunnelFigures({}, found.get(toSpanKey(first, unit)) ?? [])
    return { leads, accepted: byStatus.delivered ?? 0, rejected: byStatus.rejected ?? 0 }
  })
}

/** Makes the measures of a period from its counts and its money. */
export function measure(
  visits: number,
  { leads, accepted, rejected }: AnswerCounts,
  money: readonly DailyMoney[],
) {
  const ledger = addLedgerSums(money.flatMap((row) => row.ledger ?? []))
  const spend = money.reduce((sum, { spendCents = 0 }) => sum + spendCents, 0)
  return {
    visits,
    leads,
    accepted,
    rate: findAcceptanceRate(accepted, rejected),
    revenueCents: ledger.revenueCents,
    owedCents: ledger.owedCents,
    spendCents: spend,
    /** US cents; null if no revenue is known for the leads. Without a lead, the spend is the loss. */
    marginCents: findMargin(ledger, spend),
  }
}
