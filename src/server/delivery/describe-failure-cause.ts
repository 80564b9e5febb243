import { type BreakerState, describeBreaker } from '#domain/delivery/breaker.ts'
import type { VisibleStatus } from '#domain/lead/lead-status.ts'
import type { LeadDetails } from '#server/leads/read-leads.ts'

/** Explains why a lead is not delivered; undefined if the last attempt's outcome explains it. */
export function describeFailureCause(
  { status, delivery }: Pick<LeadDetails, 'delivery'> & { readonly status: VisibleStatus },
  breaker: BreakerState,
  since?: (at: number) => string,
): string | undefined {
  const last = delivery?.attempts.at(-1)
  const refused =
    last?.outcome === 'refused'
      ? `The distributor refuses this lead (HTTP ${last.httpStatus})`
      : undefined
  // A lead becomes dead only while the breaker is closed, so the distributor accepted other leads.
  if (status === 'dead') return refused && `${refused} and accepted others.`
  if (status !== 'pending') return undefined
  const hold = describeBreaker(breaker, since)
  if (hold !== undefined) return `Deliveries wait: ${hold}`
  return (
    refused &&
    `${refused} and accepts others. The lead follows its own retry schedule; after the last attempt it is dead.`
  )
}
