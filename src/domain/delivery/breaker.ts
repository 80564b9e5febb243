/** What holds deliveries back, for every worker on the store. */
export interface BreakerState {
  readonly pause: Pause | null
  readonly trip: Trip | null
}

/** An operator holds everything back. */
export interface Pause {
  /** For the operator to read; without personal data. */
  readonly reason: string
  /** Epoch milliseconds. */
  readonly since: number
}

/** What the leads met that opened the breaker: the distributor refused them (401, 403, 404), or gave no answer of use. */
export type TripCause = 'refused' | 'outage'

/**
 * Lead after lead was refused, or got no answer of use. Whether that is the distributor's doing or these leads' own, other
 * leads tell: one probe at a time goes out, each with a lead that has not failed since, as long as there are such.
 */
export interface Trip {
  /** Of the latest that failed. */
  readonly cause: TripCause
  /** What the distributor said last, such as `HTTP 403`; empty where it said nothing. */
  readonly reason: string
  /** When the first attempt of those that opened it began, in epoch milliseconds. */
  readonly since: number
  readonly failedProbes: FailedProbes
  /** Since the last one that failed. */
  readonly answeredProbes: number
  /** How many refused probes blame the distributor. */
  readonly enoughRefused: number
  /** Epoch milliseconds of the next probe; while one is under way, when it counts as lost. */
  readonly probeAt: number
  /** From when on a probe may go that would say nothing new, where there is no other; epoch milliseconds. */
  readonly repeatAt: number
}

/** How many other leads were tried since, and met the same. */
export interface FailedProbes {
  readonly outage: number
  /** With leads of networks that had not been refused. */
  readonly refused: number
  /** With leads of networks that had: whoever sends forbidden ones sends many. */
  readonly akinRefused: number
}

export const closedBreaker: BreakerState = { pause: null, trip: null }

/** Closed lets everything pass, open nothing, half-open one probe at a time from a moment on (epoch milliseconds). */
export type BreakerMode =
  | { readonly kind: 'closed' }
  | { readonly kind: 'half-open'; readonly at: number }
  | { readonly kind: 'open' }

export function modeOf({ pause, trip }: BreakerState): BreakerMode {
  if (pause !== null) return { kind: 'open' }
  return trip === null ? { kind: 'closed' } : { kind: 'half-open', at: trip.probeAt }
}

/**
 * So many other leads that were refused blame the distributor: one that refuses us gets no more calls in a row. Where it
 * has answered within the last day, it takes as many as somebody who keeps sending forbidden leads is worth living with.
 */
export const enoughRefused = { atFirst: 15, whereAnswered: 200 }

/** Waits before the first probes, in milliseconds; the last one stays. */
const waits = {
  refused: [0, 0, 0, 500, 500, 1000, 1000, 1000, 2000, 2000, 4000, 5000],
  /** Others among 150 forbidden ones are found within a minute, where each refused call takes 200 ms. */
  refusedWhereAnswered: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 200],
  outage: [1000, 2000, 4000, 5000],
} satisfies Record<string, readonly number[]>

const waitsOf = ({ cause, enoughRefused: enough }: Pick<Trip, 'cause' | 'enoughRefused'>) =>
  cause === 'refused' && enough > enoughRefused.atFirst ? waits.refusedWhereAnswered : waits[cause]

/**
 * Before a probe that would say nothing new, in milliseconds. When it refuses us, that ends with a change of configuration, which
 * takes somebody: one call in five minutes bothers nobody. An outage ends by itself.
 */
const repeatWaits: Readonly<Record<TripCause, number>> = { refused: 300_000, outage: 30_000 }

function nextProbes(trip: Pick<Trip, 'cause' | 'failedProbes' | 'enoughRefused'>, at: number) {
  const { outage, refused, akinRefused } = trip.failedProbes
  const made = trip.cause === 'outage' ? outage : refused + akinRefused
  const waits = waitsOf(trip)
  const wait = waits[made] ?? waits.at(-1) ?? 0
  return { probeAt: at + wait, repeatAt: at + repeatWaits[trip.cause] }
}

/** How many refused leads the trips of a while take before they blame the distributor. */
export interface Patience {
  readonly enoughRefused: number
  /** Epoch milliseconds. */
  readonly until: number
}

/** What has opened it; `at` and `since` are epoch milliseconds. */
export interface TripOrder extends Pick<Trip, 'cause' | 'reason' | 'since' | 'enoughRefused'> {
  readonly at: number
}

/** @param patience as the trips before have left it */
export function tripped({ at, ...order }: TripOrder, patience: Patience | undefined): Trip {
  const learnt = patience !== undefined && patience.until > at ? patience.enoughRefused : 0
  const trip = {
    ...order,
    failedProbes: { outage: 0, refused: 0, akinRefused: 0 },
    answeredProbes: 0,
    enoughRefused: Math.max(order.enoughRefused, learnt),
  }
  return { ...trip, ...nextProbes(trip, at) }
}

/**
 * A lead that has not failed since the breaker opened, of a network of which none waits that has failed; one of such a
 * network; one that has failed since: that says no more than that nothing has changed.
 */
export type ProbeKind = 'first' | 'akin' | 'repeat'

export interface FailedProbe extends Pick<Trip, 'cause' | 'reason'> {
  readonly kind: ProbeKind
  /** Epoch milliseconds. */
  readonly at: number
}

export function afterFailedProbe(trip: Trip, { kind, cause, reason, at }: FailedProbe): Trip {
  const failedProbes = countProbe(trip.failedProbes, kind, cause)
  const next = { ...trip, cause, reason, failedProbes, answeredProbes: 0 }
  return { ...next, ...nextProbes(next, at) }
}

/** So many answers in a row end an outage, as long as there are leads to ask about of networks that have not failed. */
const answersToClose = 8

/**
 * Where leads alone were never answered, closing lets the rest of them take every slot for as long as a call lasts. So who
 * has nothing to do with them goes first, one after the other, and without a wait.
 * @returns undefined where it may close
 */
export function afterAnswer(trip: Trip, answered: ProbeKind, at: number): Trip | undefined {
  const answeredProbes = trip.answeredProbes + 1
  return trip.cause === 'outage' && answered === 'first' && answeredProbes < answersToClose
    ? { ...trip, answeredProbes, probeAt: at }
    : undefined
}

function countProbe(failed: FailedProbes, kind: ProbeKind, cause: TripCause): FailedProbes {
  if (kind === 'repeat') return failed
  if (cause === 'outage') return { ...failed, outage: failed.outage + 1 }
  return kind === 'first'
    ? { ...failed, refused: failed.refused + 1 }
    : { ...failed, akinRefused: failed.akinRefused + 1 }
}

/**
 * Where the next probe is looked for, between the oldest lead that is due (0) and the newest (1): both ends first, then
 * ever finer between them, so that no order of arrival hides a lead that would pass.
 */
export function placeOfProbe({ failedProbes: { outage, refused, akinRefused } }: Trip): number {
  return places[(outage + refused + akinRefused) % places.length] ?? 0
}

const places = [0, 1, 1 / 2, 1 / 4, 3 / 4, 1 / 8, 5 / 8, 3 / 8, 7 / 8]

/** How often a worker's start lets a probe through at once, in milliseconds: a restart that loops is no burst. */
export const startProbeEvery = 300_000
