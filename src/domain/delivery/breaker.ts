import { type AttemptOutcome, evidenceOf } from './outcome.ts'

/** Why deliveries are held back, for every worker on the store: an operator's pause, a trip of the breaker, or nothing. */
export interface BreakerState {
  /** `reason` is the operator's, without personal data; `since` is epoch milliseconds. */
  readonly pause: { readonly reason: string; readonly since: number } | null
  readonly trip: Trip | null
}

/** The distributor refused leads (401, 403, 404), or gave no usable answer. */
export type TripCause = 'refused' | 'outage'

/**
 * The breaker opened because lead after lead failed. Other leads show whether the distributor or these leads are at fault,
 * so one probe at a time is sent, each with a lead that has not failed in this trip, as long as one waits.
 */
export interface Trip {
  /** Of the latest failure. */
  readonly cause: TripCause
  /** The distributor's latest response, such as `HTTP 403`; empty without one. */
  readonly reason: string
  /** When the first attempt that failed began, in epoch milliseconds. */
  readonly since: number
  /** How many leads have failed as probes. */
  readonly failedProbes: number
  /** Epoch milliseconds of the next probe; while one is under way, when it counts as lost. */
  readonly probeAt: number
  /** From when on a lead that has failed in this trip may be the probe, if no other waits; epoch milliseconds. */
  readonly repeatAt: number
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

/** What one process has seen since the distributor's last answer. Times are epoch milliseconds. */
export interface BreakerEvidence {
  /** Leads that failed: a lead that fails again adds nothing. */
  readonly failed: ReadonlySet<string>
  readonly refused: ReadonlySet<string>
  /** When the first attempt that failed began. */
  readonly since: number
  readonly answeredAt: number
}

export const noEvidence: BreakerEvidence = {
  failed: new Set(),
  refused: new Set(),
  since: 0,
  answeredAt: Number.NEGATIVE_INFINITY,
}

/** One attempt as evidence. */
export interface AttemptEvidence {
  readonly leadId: string
  /** How many earlier attempts of the lead have spent its retry schedule. */
  readonly triesSpent: number
  readonly outcome: AttemptOutcome
  /** Epoch milliseconds, as is `endedAt`. */
  readonly startedAt: number
  readonly endedAt: number
}

export function weigh(evidence: BreakerEvidence, heard: AttemptEvidence): BreakerEvidence {
  const { leadId, triesSpent, outcome, startedAt, endedAt } = heard
  const meaning = evidenceOf(outcome)
  if (meaning === 'nothing') return evidence
  if (meaning === 'answer') return { ...noEvidence, answeredAt: endedAt }
  // The lead has failed before while others passed: a second refusal says nothing of the distributor.
  if (meaning === 'refused' && triesSpent > 0) return evidence
  const { failed, refused, since } = evidence
  return {
    ...evidence,
    since: failed.size === 0 ? startedAt : since,
    failed: new Set([...failed, leadId]),
    refused: meaning === 'refused' ? new Set([...refused, leadId]) : refused,
  }
}

/** So many different leads in a row without an answer open the breaker, whatever the failures were. */
const failedToOpen = 10

/**
 * One refused lead opens the breaker, as on a new site with a wrong address every lead would spend its tries. While the
 * distributor answers others, three do: a stream of forbidden leads would otherwise stop the others each time.
 */
const refusedToOpen = { usually: 1, soonAfterAnswer: 3, soonMs: 60_000 }

/** Why this attempt opens a closed breaker; undefined if the evidence does not suffice. */
export function tripCauseOf(
  { failed, refused, answeredAt }: BreakerEvidence,
  { outcome, triesSpent, endedAt }: AttemptEvidence,
): TripCause | undefined {
  const meaning = evidenceOf(outcome)
  if (meaning === 'answer' || meaning === 'nothing') return undefined
  if (failed.size >= failedToOpen) return meaning
  const isSoon = endedAt - answeredAt <= refusedToOpen.soonMs
  const enough = isSoon ? refusedToOpen.soonAfterAnswer : refusedToOpen.usually
  return meaning === 'refused' && triesSpent === 0 && refused.size >= enough ? 'refused' : undefined
}

/** `untried`: a lead that has not failed in this trip. `repeat`: one that has, which only shows whether anything changed. */
export type ProbeKind = 'untried' | 'repeat'

/**
 * This many failed probes blame the distributor. Refused leads are often the leads' own doing, and
 * somebody may send 150 forbidden ones from as many networks: a lead among them is found in time.
 */
const probesToBlame: Readonly<Record<TripCause, number>> = { refused: 200, outage: 3 }

/** Before a probe with a lead that has failed already, in milliseconds: a refusal ends when somebody acts, an outage by itself. */
const repeatWaits: Readonly<Record<TripCause, number>> = { refused: 300_000, outage: 30_000 }

const outageWaits = [1000, 2000, 4000, 5000]

type Probed = Pick<Trip, 'cause' | 'failedProbes'>

export const blamesDistributor = ({ cause, failedProbes }: Probed): boolean =>
  failedProbes >= probesToBlame[cause]

/** Before the next probe, in milliseconds. A distributor that refuses us gets one call in five minutes. */
function probeWait(trip: Probed): number {
  if (trip.cause === 'outage') return outageWaits[trip.failedProbes] ?? 5000
  if (blamesDistributor(trip)) return repeatWaits.refused
  return trip.failedProbes < 3 ? 0 : 250
}

const withNextProbe = (trip: Omit<Trip, 'probeAt' | 'repeatAt'>, at: number): Trip => ({
  ...trip,
  probeAt: at + probeWait(trip),
  repeatAt: at + repeatWaits[trip.cause],
})

/** `at` is epoch milliseconds. */
export type TripOrder = Pick<Trip, 'cause' | 'reason' | 'since'> & { readonly at: number }

export const tripped = ({ at, ...order }: TripOrder): Trip =>
  withNextProbe({ ...order, failedProbes: 0 }, at)

/** `at` is epoch milliseconds. */
export type FailedProbe = Pick<Trip, 'cause' | 'reason'> & {
  readonly kind: ProbeKind
  readonly at: number
}

export const afterFailedProbe = (trip: Trip, { kind, cause, reason, at }: FailedProbe): Trip =>
  withNextProbe(
    { ...trip, cause, reason, failedProbes: trip.failedProbes + (kind === 'repeat' ? 0 : 1) },
    at,
  )

/**
 * Whether an answer shows that the distributor was at fault, so that the trip has cost no lead a try: if enough others had
 * failed, or if a lead passes that had failed. Otherwise the leads that failed did so by themselves.
 */
export const wasDistributorsFault = (trip: Trip, answered: ProbeKind): boolean =>
  answered === 'repeat' || blamesDistributor(trip)

/** How often a worker's start lets a probe through at once, in milliseconds: a process that restarts in a loop is no burst. */
export const minStartProbeIntervalMs = 300_000
