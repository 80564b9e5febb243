import type { BreakerState, Pause } from '#domain/delivery/breaker.ts'

/** One breaker for all deliveries of a store: every worker of every process obeys it. */
export interface BreakerStore {
  read(): Promise<BreakerState>
  /**
   * Pauses all deliveries. An operator's pause takes the place of a refusal's, never the other way round.
   * True where it began with this call.
   */
  pause(pause: Pick<Pause, 'by' | 'reason'> & { readonly at: number }): Promise<boolean>
  /** Ends a pause and an outage, and makes what waited for the outage due; false where there was neither. */
  resume(at: number): Promise<boolean>
  /**
   * Begins an outage: from now on one probe at a time. False where there is one already.
   * @param outage.since when the run of failures began
   */
  beginOutage(outage: { readonly since: number; readonly at: number }): Promise<boolean>
  /**
   * The distributor has answered: ends an outage and a refusal's pause, and makes what waited for the outage due, the
   * oldest lead first. False where there was neither.
   */
  answered(at: number): Promise<boolean>
  /** The probe that this lease was given for has come to nothing: the next one waits longer. */
  probeFailed(probe: { readonly lease: string; readonly at: number }): Promise<void>
  /** Lets the next probe through at once: a worker has started, perhaps with another configuration. */
  probeNow(at: number): Promise<void>
}
