import type { Scorecard } from '#domain/affiliate/scorecard.ts'
import { describeAcceptanceRate } from '#domain/measuring/acceptance-rate.ts'
import { formatDollars } from '#domain/text/format-dollars.ts'
import { formatNumber, formatShare } from '../funnel/funnel-page.tsx'
import { formatDuration } from '../shell/times.tsx'

/** The measures of a scorecard by name, in words; empty if a measure is unknown. */
export const describeScorecard = (card: Scorecard): Readonly<Record<string, string>> => ({
  Visitors: formatNumber(card.figures.visits),
  'Form started': `${formatNumber(card.figures.started)} (${formatShare(card.figures.started, card.figures.visits)})`,
  Leads: formatNumber(card.figures.leads),
  'Acceptance rate': describeAcceptanceRate(card.rate),
  'Median time to acceptance': card.medianMs === undefined ? '' : formatDuration(card.medianMs),
  Payout: card.costCents === undefined ? '' : formatDollars(card.costCents),
  'Cost per accepted lead':
    card.costPerAcceptedCents === undefined ? '' : formatDollars(card.costPerAcceptedCents),
})
