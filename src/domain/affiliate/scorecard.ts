import {
  describeAcceptanceRate,
  type FunnelFigures,
  findAcceptanceRate,
} from '#domain/measuring/funnel-figures.ts'
import type { Comparison } from '#domain/measuring/periods.ts'
import { findCostPerKept, type LedgerSums } from '#domain/money/ledger.ts'
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
    medianMs,
    rate: findAcceptanceRate(accepted, rejected),
    costPerKeptCents: findCostPerKept(money, 0),
  }
}

/** Formats each measure of a scorecard, by the measure's name: empty without a value, a dash if it is incomplete. */
export function formatScorecard(
  { figures, rate, medianMs, owedCents, costPerKeptCents }: Scorecard,
  { noVisits, noLeads }: Partial<Comparison> = {},
): Readonly<Record<string, string>> {
  const { visits, started, leads } = figures
  const ofVisits = (text: string) => (noVisits === undefined ? text : '–')
  const ofLeads = (text: string) => (noLeads === undefined ? text : '–')
  const formatCents = (cents: number | null) => (cents === null ? '' : formatDollars(cents))
  return {
    Visitors: ofVisits(formatNumber(visits)),
    'Form started': ofVisits(`${formatNumber(started)} (${formatShare(started, visits)})`),
    Leads: ofLeads(formatNumber(leads)),
    'Acceptance rate': ofLeads(describeAcceptanceRate(rate)),
    'Median time to acceptance': ofLeads(medianMs === undefined ? '' : formatDuration(medianMs)),
    Owed: formatCents(owedCents),
    'Payout per kept lead': formatCents(costPerKeptCents),
  }
}

/**
 * Lists the measures of {@link formatScorecard} for files: counts, a share from 0 to 1, seconds and dollars. Null without
 * a value, and if it is incomplete.
 */
export function listScorecardValues(
  { figures, rate, medianMs, owedCents, costPerKeptCents }: Scorecard,
  { noVisits, noLeads }: Partial<Comparison> = {},
): Readonly<Record<string, number | null>> {
  const ofVisits = (value: number) => (noVisits === undefined ? value : null)
  const ofLeads = (value: number | undefined) => (noLeads === undefined ? (value ?? null) : null)
  const toDollars = (cents: number | null) => (cents === null ? null : Math.round(cents) / 100)
  return {
    Visitors: ofVisits(figures.visits),
    'Form started': ofVisits(figures.started),
    Leads: ofLeads(figures.leads),
    'Acceptance rate': ofLeads(rate && Math.round(rate.share * 10_000) / 10_000),
    'Median time to acceptance': ofLeads(medianMs === undefined ? medianMs : medianMs / 1000),
    Owed: toDollars(owedCents),
    'Payout per kept lead': toDollars(costPerKeptCents),
  }
}
