import type { BreakerState } from '#domain/delivery/breaker.ts'
import { breakerInWords } from '#domain/delivery/breaker-in-words.ts'
import type { ShownStatus } from '#domain/lead/lead-status.ts'
import type { LeadDetails } from '#server/leads/read-leads.ts'

/** Whose doing it is that a lead is not delivered; undefined where that is for nobody to say. */
export function culpritInWords(
  { status, delivery }: Pick<LeadDetails, 'delivery'> & { readonly status: ShownStatus },
  breaker: BreakerState,
  since?: (at: number) => string,
): string | undefined {
  const last = delivery?.attempts.at(-1)
  const refused =
    last?.outcome === 'refused'
      ? `The distributor refuses this lead (HTTP ${last.httpStatus})`
      : undefined
  // While the breaker is open no lead dies: others were taken.
  if (status === 'dead') return refused && `${refused}: it took others.`
  if (status !== 'pending') return undefined
  const hold = breakerInWords(breaker, since)
  if (hold !== undefined) return `Deliveries wait: ${hold}`
  return refused && `${refused} and takes others: it is tried by its own schedule, then it is dead.`
}
