import {
  describeAcceptanceRate,
  type FunnelFigures,
  findAcceptanceRate,
} from '#domain/measuring/funnel-figures.ts'
import type { Comparison } from '#domain/measuring/periods.ts'
import { findCostPerKept, findMargin, type LedgerSums } from '#domain/money/ledger.ts'
import { formatDollars, formatNumber, formatShare } from '#domain/text/formats.ts'
import { formatDuration } from '../text/time-formats.ts'

/** The results of an affiliate's visits and leads. */
export type Scorecard = ReturnType<typeof makeScorecard>

/**
 * @param money the ledger's sums for the same period
 * @param medianMs the median time until the distributor accepted a lead; undefined if nobody asked for it
 */
export function makeScorecard(figures: FunnelFigures, money: LedgerSums, medianMs?: number) {
  const { delivered: accepted = 0, rejected = 0 } = figures.byStatus
  return {
    figures,
    accepted,
    owedCents: money.owedCents,
    revenueCents: money.revenueCents,
    /** What is left of the revenue before ad spend, which belongs to no affiliate. */
    marginCents: findMargin(money, 0),
    medianMs,
    rate: findAcceptanceRate(accepted, rejected),
    payoutPerKeptCents: findCostPerKept(money, 0),
  }
}

interface Measure {
  /** What the measure counts, so that it is incomplete without. */
  readonly of: 'visits' | 'leads'
  readonly format: (card: Scorecard) => string
  /** The value for files: a count, a share from 0 to 1, seconds or dollars; null without a value. */
  readonly value: (card: Scorecard) => number | null
}

const count = (of: Measure['of'], find: (card: Scorecard) => number): Measure => ({
  of,
  format: (card) => formatNumber(find(card)),
  value: find,
})

const money = (find: (card: Scorecard) => number | null): Measure => {
  const apply =
    <Result>(use: (cents: number) => Result, otherwise: Result) =>
    (card: Scorecard) => {
      const cents = find(card)
      return cents === null ? otherwise : use(cents)
    }
  return {
    of: 'leads',
    format: apply(formatDollars, ''),
    value: apply<number | null>((cents) => Math.round(cents) / 100, null),
  }
}

const measures: Readonly<Record<string, Measure>> = {
  Visits: count('visits', ({ figures }) => figures.visits),
  'Form started': {
    ...count('visits', ({ figures }) => figures.started),
    format: ({ figures: { visits, started } }) =>
      `${formatNumber(started)} (${formatShare(started, visits)})`,
  },
  Leads: count('leads', ({ figures }) => figures.leads),
  'Acceptance rate': {
    of: 'leads',
    format: ({ rate }) => describeAcceptanceRate(rate),
    value: ({ rate }) => (rate ? Math.round(rate.share * 10_000) / 10_000 : null),
  },
  'Median time to acceptance': {
    of: 'leads',
    format: ({ medianMs }) => (medianMs === undefined ? '' : formatDuration(medianMs)),
    value: ({ medianMs }) => (medianMs === undefined ? null : medianMs / 1000),
  },
  Revenue: money(({ revenueCents }) => revenueCents),
  Owed: money(({ owedCents }) => owedCents),
  'Margin before ad spend': money(({ marginCents }) => marginCents),
  'Payout per kept lead': money(({ payoutPerKeptCents }) => payoutPerKeptCents),
}

const mapMeasures = <Value>(
  { noVisits, noLeads }: Partial<Comparison>,
  missing: Value,
  read: (measure: Measure) => Value,
): Readonly<Record<string, Value>> =>
  Object.fromEntries(
    Object.entries(measures).map(([name, measure]) => [
      name,
      (measure.of === 'visits' ? noVisits : noLeads) === undefined ? read(measure) : missing,
    ]),
  )

/** Formats each measure of a scorecard, by the measure's name: empty without a value, a dash if it is incomplete. */
export const formatScorecard = (card: Scorecard, comparison: Partial<Comparison> = {}) =>
  mapMeasures(comparison, '–', ({ format }) => format(card))

/** Lists the measures of {@link formatScorecard} for files: null without a value, and if it is incomplete. */
export const listScorecardValues = (card: Scorecard, comparison: Partial<Comparison> = {}) =>
  mapMeasures<number | null>(comparison, null, ({ value }) => value(card))
