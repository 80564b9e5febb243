import { describeAcceptanceRate } from '#domain/measuring/acceptance-rate.ts'
import type { Comparison } from '#domain/measuring/comparison.ts'
import { formatDollars } from '#domain/text/format-dollars.ts'
import { formatNumber, formatShare } from '#domain/text/format-numbers.ts'
import { formatDuration } from '#domain/text/time-formats.ts'
import type { Scorecard } from './scorecard.ts'

/** Formats each measure of a scorecard, by the measure's name. A measure without a value becomes an empty text. */
export const formatScorecard = (card: Scorecard): Readonly<Record<string, string>> => ({
  Visitors: formatNumber(card.figures.visits),
  'Form started': `${formatNumber(card.figures.started)} (${formatShare(card.figures.started, card.figures.visits)})`,
  Leads: formatNumber(card.figures.leads),
  'Acceptance rate': describeAcceptanceRate(card.rate),
  'Median time to acceptance': card.medianMs === undefined ? '' : formatDuration(card.medianMs),
  Payout: card.costCents === undefined ? '' : formatDollars(card.costCents),
  'Cost per accepted lead':
    card.costPerAcceptedCents === undefined ? '' : formatDollars(card.costPerAcceptedCents),
})

/** Formats the measures of an earlier period; incomplete measures become dashes. */
export const formatEarlierScorecard = (
  card: Scorecard,
  { hasVisits, hasLeads }: Comparison,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(formatScorecard(card)).map(([name, value]) => {
      const isOfVisits = name === 'Visitors' || name === 'Form started'
      return [name, (isOfVisits ? hasVisits : hasLeads) ? value : '–']
    }),
  )
