import { type AcceptanceRate, findAcceptanceRate } from '../measuring/acceptance-rate.ts'
import type { FunnelFigures } from '../measuring/funnel-figures.ts'

/** What the visits and leads of an affiliate came to. */
export interface Scorecard {
  readonly figures: FunnelFigures
  readonly accepted: number
  /** Undefined with too few answers of the distributor. */
  readonly rate: AcceptanceRate | undefined
  /** What the accepted leads cost, in US cents, without those returned later; undefined without a payout. */
  readonly costCents: number | undefined
  /** Also undefined without an accepted lead. */
  readonly costPerAcceptedCents: number | undefined
  /** The median time until the distributor accepted a lead, in milliseconds, if it was read. */
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
