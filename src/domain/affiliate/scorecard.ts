import {
  describeAcceptanceRate,
  type FunnelFigures,
  findAcceptanceRate,
} from '#domain/measuring/funnel-figures.ts'
import type { Comparison } from '#domain/measuring/periods.ts'
import { formatDollars, formatNumber, formatShare } from '#domain/text/formats.ts'
import { formatDuration } from '../text/time-formats.ts'

/** The results of an affiliate's visits and leads. */
export type Scorecard = ReturnType<typeof makeScorecard>

/**
 * @param payoutCents the payout for an accepted lead, in US cents; null if it is unknown
 * @param medianMs the median time until the distributor accepted a lead; undefined if nobody asked for it
 */
export function makeScorecard(
  figures: FunnelFigures,
  payoutCents: number | null,
  medianMs?: number,
) {
  const { delivered: accepted = 0, rejected = 0 } = figures.byStatus
  // The company doesn't pay for leads that the distributor took back.
  const costCents = payoutCents === null ? undefined : payoutCents * (accepted - figures.returned)
  return {
    figures,
    accepted,
    costCents,
    medianMs,
    rate: findAcceptanceRate(accepted, rejected),
    costPerAcceptedCents:
      costCents === undefined || accepted === 0 ? undefined : costCents / accepted,
  }
}

/** Formats each measure of a scorecard, by the measure's name: empty without a value, a dash if it is incomplete. */
export function formatScorecard(
  { figures, rate, medianMs, costCents, costPerAcceptedCents }: Scorecard,
  { noVisits, noLeads }: Partial<Comparison> = {},
): Readonly<Record<string, string>> {
  const { visits, started, leads } = figures
  const ofVisits = (text: string) => (noVisits === undefined ? text : '–')
  const ofLeads = (text: string) => (noLeads === undefined ? text : '–')
  const formatCents = (cents: number | undefined) =>
    cents === undefined ? '' : formatDollars(cents)
  return {
    Visitors: ofVisits(formatNumber(visits)),
    'Form started': ofVisits(`${formatNumber(started)} (${formatShare(started, visits)})`),
    Leads: ofLeads(formatNumber(leads)),
    'Acceptance rate': ofLeads(describeAcceptanceRate(rate)),
    'Median time to acceptance': ofLeads(medianMs === undefined ? '' : formatDuration(medianMs)),
    Payout: ofLeads(formatCents(costCents)),
    'Cost per accepted lead': ofLeads(formatCents(costPerAcceptedCents)),
  }
}
