import { type AcceptanceRate, findAcceptanceRate } from '../measuring/acceptance-rate.ts'
import type { FunnelFigures } from '../measuring/funnel-figures.ts'

/** What an affiliate's visits and leads led to. */
export interface Scorecard {
  readonly figures: FunnelFigures
  readonly accepted: number
  /** Undefined if the distributor has answered too few leads. */
  readonly rate: AcceptanceRate | undefined
  /** The payout for the accepted leads that were not returned, in US cents; undefined if the payout is unknown. */
  readonly costCents: number | undefined
  /** Also undefined without an accepted lead. */
  readonly costPerAcceptedCents: number | undefined
  /** The median time until the distributor accepted a lead, in milliseconds; undefined if the caller did not read it. */
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
