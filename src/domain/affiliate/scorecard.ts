import {
  describeAcceptanceRate,
  type FunnelFigures,
  findAcceptanceRate,
} from '#domain/measuring/funnel-figures.ts'
import type { Comparison } from '#domain/measuring/periods.ts'
import {
  findCostPerKept,
  findMargin,
  type LedgerSums,
  type Measure,
  toCount,
  toMoney,
} from '#domain/money/ledger.ts'
import { formatNumber, formatShare } from '#domain/text/formats.ts'
import { formatDuration } from '../text/time-formats.ts'

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

/** Lists the measures of a scorecard. Those that are incomplete, by the comparison, have a dash and no value. */
export function listScorecard(
  { figures: { visits, started, leads }, rate, medianMs, ...money }: Scorecard,
  { noVisits, noLeads }: Partial<Comparison> = {},
): readonly Measure[] {
  const hideIf = (missing: string | undefined) => (measure: Measure) =>
    missing === undefined ? measure : { ...measure, text: '–', value: null }
  const ofVisits = [
    toCount('Visits', visits),
    {
      ...toCount('Form started', started),
      text: `${formatNumber(started)} (${formatShare(started, visits)})`,
    },
  ]
  const ofLeads = [
    toCount('Leads', leads),
    {
      name: 'Acceptance rate',
      text: describeAcceptanceRate(rate),
      value: rate ? Math.round(rate.share * 10_000) / 10_000 : null,
    },
    {
      name: 'Median time to acceptance',
      text: medianMs === undefined ? '' : formatDuration(medianMs),
      value: medianMs === undefined ? null : medianMs / 1000,
    },
    toMoney('Revenue', money.revenueCents),
    toMoney('Owed', money.owedCents),
    toMoney('Margin before ad spend', money.marginCents),
    toMoney('Payout per kept lead', money.payoutPerKeptCents),
  ]
  return [...ofVisits.map(hideIf(noVisits)), ...ofLeads.map(hideIf(noLeads))]
}

/** Formats each measure of a scorecard, by the measure's name. */
export const formatScorecard = (card: Scorecard, comparison?: Comparison) =>
  Object.fromEntries(listScorecard(card, comparison).map(({ name, text }) => [name, text]))
