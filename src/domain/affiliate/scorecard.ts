import { type AcceptanceRate, findAcceptanceRate } from '../measuring/acceptance-rate.ts'
import type { FunnelFigures } from '../measuring/funnel-figures.ts'

/** The results of an affiliate's visits and leads. */
export interface Scorecard {
  readonly figures: FunnelFigures
  readonly accepted: number
  /** The share of accepted leads; undefined if the distributor has answered too few. */
  readonly rate: AcceptanceRate | undefined
  /** The payout for the accepted leads that the distributor kept, in US cents; undefined if the payout is unknown. */
  readonly costCents: number | undefined
  /** The cost per accepted lead, in US cents; undefined if the payout is unknown or there is no accepted lead. */
  readonly costPerAcceptedCents: number | undefined
  /** The median time until the distributor accepted a lead, in milliseconds; undefined if the query leaves it out. */
  readonly medianMs: number | undefined
}

/** @param payoutCents the payout for an accepted lead; null if it is unknown */
export function makeScorecard(
  figures: FunnelFigures,
  payoutCents: number | null,
  medianMs?: number,
): Scorecard {
  const { delivered: accepted = 0, rejected = 0 } = figures.byStatus
  const costCents = payoutCents === null ? undefined : payoutCents * (accepted - figures.returned)
  return {
    ...{ figures, accepted, costCents, medianMs },
    rate: findAcceptanceRate(accepted, rejected),
    costPerAcceptedCents:
      costCents === undefined || accepted === 0 ? undefined : costCents / accepted,
  }
}
