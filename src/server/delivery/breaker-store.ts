import type { BreakerState, FailedProbe, ProbeKind, TripOrder } from '#domain/delivery/breaker.ts'
import type { Actor } from '#server/operators/operator.ts'

/** An operator's order to the breaker; `at` is epoch milliseconds. */
export interface HeldBy {
  /** Their words, which name nobody; empty where they gave none. */
  readonly reason: string
  readonly at: number
  /** Undefined where nobody did it by hand. */
  readonly by?: Actor | undefined
}

/** One breaker for all deliveries of a store: every worker of every process obeys it. `at` is epoch milliseconds. */
export interface BreakerStore {
  read(): Promise<BreakerState>
  /** Holds all deliveries back until `resume`; takes the place of a trip of refused leads. True where it began with this call. */
  pause(order: HeldBy): Promise<boolean>
  /** Ends a pause and a trip, and makes what waited for the trip due; false where there was neither. */
  resume(order: HeldBy): Promise<boolean>
  /** Opens it: from now on one probe at a time. False where it is open already. */
  trip(order: TripOrder): Promise<boolean>
  /**
   * The distributor has answered, which closes it, but for some more probes after an outage: see `afterAnswer`. Where the
   * distributor was to blame, what waited for it is due, the oldest lead first, and has spent nothing. False where it did
   * not end a trip.
   */
  answered(lead: ProbeKind, at: number): Promise<boolean>
  /** The probe that this lease was given for has come to nothing: see `afterFailedProbe`. */
  probeFailed(probe: FailedProbe & { readonly lease: string }): Promise<void>
  /** The probe that this lease was given for was not made: the next may go at once. */
  probeNotMade(probe: { readonly lease: string; readonly at: number }): Promise<void>
  /** Lets the next probe through at once, but seldom: a worker has started, perhaps with another configuration. */
  workerStarted(at: number): Promise<void>
}
