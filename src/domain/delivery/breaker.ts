import { type AttemptOutcome, evidenceOf } from './outcome.ts'

/**
 * The reason why all workers of the store hold deliveries back: an operator's pause, a trip of the breaker, or neither.
 */
export interface BreakerState {
  /** `reason` is the operator's text without personal data; `since` is in epoch milliseconds. */
  readonly pause: { readonly reason: string; readonly since: number } | null
  readonly trip: Trip | null
}

/** `refused`: the distributor refused leads (401, 403, 404). `outage`: it gave no usable answer. */
export type TripCause = 'refused' | 'outage'

/**
 * The breaker tripped because several leads failed in a row. To find out whether the distributor or these leads are at
 * fault, the worker sends one probe at a time. Each probe is a lead that has not failed in this trip, as long as such a
 * lead is waiting.
 */
export interface Trip {
  readonly cause: TripCause
  /** The distributor's latest response, such as `HTTP 403`; empty if there was no response. */
  readonly reason: string
  /** The start of the first failed attempt, in epoch milliseconds. */
  readonly since: number
  readonly failedProbes: number
  /** Epoch milliseconds of the next probe; while a probe is running, the time when it counts as lost. */
  readonly probeAt: number
  /** Epoch milliseconds from which a lead that failed in this trip may be the probe if no other lead is waiting. */
  readonly repeatAt: number
}

export const closedBreaker: BreakerState = { pause: null, trip: null }

/** Closed allows every delivery, open none, half-open one probe at a time from `at` on (epoch milliseconds). */
export type BreakerMode =
  | { readonly kind: 'closed' }
  | { readonly kind: 'half-open'; readonly at: number }
  | { readonly kind: 'open' }

export function modeOf({ pause, trip }: BreakerState): BreakerMode {
  if (pause !== null) return { kind: 'open' }
  return trip === null ? { kind: 'closed' } : { kind: 'half-open', at: trip.probeAt }
}

/** The attempts that one process has seen since the distributor's last answer. Times are epoch milliseconds. */
export interface BreakerEvidence {
  /** The leads that failed; a lead counts once however often it fails. */
  readonly failed: ReadonlySet<string>
  readonly refused: ReadonlySet<string>
  /** The start of the first failed attempt. */
  readonly since: number
  readonly answeredAt: number
}

export const noEvidence: BreakerEvidence = {
  failed: new Set(),
  refused: new Set(),
  since: 0,
  answeredAt: Number.NEGATIVE_INFINITY,
}

export interface AttemptEvidence {
  readonly leadId: string
  /** The number of earlier attempts that used up the lead's retry schedule. */
  readonly triesSpent: number
  readonly outcome: AttemptOutcome
  /** The start of the attempt, in epoch milliseconds like `endedAt`. */
  readonly startedAt: number
  readonly endedAt: number
}

export function addEvidence(evidence: BreakerEvidence, attempt: AttemptEvidence): BreakerEvidence {
  const { leadId, triesSpent, outcome, startedAt, endedAt } = attempt
  const meaning = evidenceOf(outcome)
  if (meaning === 'nothing') return evidence
  if (meaning === 'answer') return { ...noEvidence, answeredAt: endedAt }
  // The lead has failed before while other leads succeeded, so a second refusal proves nothing about the distributor.
  if (meaning === 'refused' && triesSpent > 0) return evidence
  const { failed, refused, since } = evidence
  return {
    ...evidence,
    since: failed.size === 0 ? startedAt : since,
    failed: new Set([...failed, leadId]),
    refused: meaning === 'refused' ? new Set([...refused, leadId]) : refused,
  }
}

/** The breaker opens after this many different leads in a row without an answer, for whatever reason they failed. */
const failedToOpen = 10

/**
 * One refused lead opens the breaker, because with a wrong address on a new site every lead would use up its tries. If
 * the distributor answered another lead within the last minute, three refused leads are needed: otherwise a stream of
 * forbidden leads would stop all deliveries each time.
 */
const refusedToOpen = { usually: 1, soonAfterAnswer: 3, soonMs: 60_000 }

/** The reason why an attempt opens a closed breaker; undefined if the evidence does not suffice. */
export function tripCauseOf(
  { failed, refused, answeredAt }: BreakerEvidence,
  { outcome, triesSpent, endedAt }: AttemptEvidence,
): TripCause | undefined {
  const meaning = evidenceOf(outcome)
  if (meaning === 'answer' || meaning === 'nothing') return undefined
  if (failed.size >= failedToOpen) return meaning
  const isSoon = endedAt - answeredAt <= refusedToOpen.soonMs
  const requiredLeads = isSoon ? refusedToOpen.soonAfterAnswer : refusedToOpen.usually
  return meaning === 'refused' && triesSpent === 0 && refused.size >= requiredLeads
    ? 'refused'
    : undefined
}

/** `untried`: the lead has not failed in this trip. `repeat`: it has, so the probe shows whether anything changed. */
export type ProbeKind = 'untried' | 'repeat'

/**
 * After this many failed probes the distributor is considered at fault. Refused leads are often at fault themselves, and
 * an attacker may send 150 forbidden leads from as many networks: 200 probes find a good lead among them.
 */
const probesToBlame: Readonly<Record<TripCause, number>> = { refused: 200, outage: 3 }

/** The wait before a failed lead is a probe again, in milliseconds: a person ends a refusal, an outage ends by itself. */
const repeatWaits: Readonly<Record<TripCause, number>> = { refused: 300_000, outage: 30_000 }

const outageWaits = [1000, 2000, 4000, 5000]

type Probed = Pick<Trip, 'cause' | 'failedProbes'>

export const blamesDistributor = ({ cause, failedProbes }: Probed): boolean =>
  failedProbes >= probesToBlame[cause]

/** The wait before the next probe, in milliseconds. A distributor that refuses us gets one call in five minutes. */
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

/** The time `at` is in epoch milliseconds. */
export type TripOrder = Pick<Trip, 'cause' | 'reason' | 'since'> & { readonly at: number }

export const tripped = ({ at, ...order }: TripOrder): Trip =>
  withNextProbe({ ...order, failedProbes: 0 }, at)

/** The time `at` is in epoch milliseconds. */
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
 * Returns whether an answer shows that the distributor was at fault, so that failed leads get their tries back. The
 * distributor was at fault if enough different leads failed, or if a lead succeeds that failed before. Otherwise the
 * failed leads were at fault.
 */
export const blamedDistributor = (trip: Trip, answered: ProbeKind): boolean =>
  answered === 'repeat' || blamesDistributor(trip)

/**
 * The minimum interval, in milliseconds, between two probes that a worker's start allows at once: a process that restarts
 * in a loop must not send a burst of probes.
 */
export const minStartProbeIntervalMs = 300_000
