import { minute } from '../durations.ts'
import { type AttemptOutcome, classifyOutcome } from './outcome.ts'

/** The state of a circuit breaker. While an operator's pause or a trip of the breaker lasts, deliveries wait. */
export interface BreakerState {
  /**
   * The reason that the operator gave, without personal data, and the start of the pause in epoch milliseconds. `by` is
   * the operator, only for operators who may see the audit log: never for the log, /readyz or a chat.
   */
  readonly pause: { readonly reason: string; readonly since: number; readonly by?: string } | null
  readonly trip: BreakerTrip | null
}

/** `refused`: the distributor answered 401, 403 or 404. `outage`: the distributor gave no usable answer. */
export type TripCause = 'refused' | 'outage'

/**
 * The state of a tripped breaker. The worker sends one lead at a time as a probe, to find out whether the distributor
 * or the leads are at fault. The worker prefers leads that have not failed during the trip.
 */
export interface BreakerTrip {
  readonly cause: TripCause
  /** The latest failure, such as `HTTP 403` or `timeout`. */
  readonly reason: string
  /** When the first failed attempt started, in epoch milliseconds. */
  readonly since: number
  readonly failedProbes: number
  /** When the next probe may start or, while one runs, when that probe counts as lost. Epoch milliseconds. */
  readonly probeAt: number
  /** When a lead that failed during the trip may be the probe again, if no other lead waits. Epoch milliseconds. */
  readonly repeatAt: number
}

export const closedBreaker: BreakerState = { pause: null, trip: null }

/** An attempt, as far as it says something about the distributor. Times are epoch milliseconds. */
export interface AttemptEvidence {
  readonly leadId: string
  /** The number of earlier attempts that count against the lead's retry schedule. */
  readonly attemptsSpent: number
  readonly outcome: AttemptOutcome
  readonly startedAt: number
  readonly endedAt: number
}

/** The number of different leads that trip the breaker if they fail in a row, for whatever reason. */
const failedToOpen = 10

/**
 * The number of refused leads that trip the breaker. Usually one refused lead trips the breaker, because a wrong
 * DISTRIBUTOR_URL would use up every lead's retry schedule. Within a minute after an answer, the breaker needs three
 * refused leads, so that a single lead that a firewall forbids does not stop all deliveries.
 */
const refusedToOpen = { usually: 1, soonAfterAnswer: 3, soonMs: minute }

/** Makes a worker's count of the leads that failed since the distributor's last answer. */
export function makeFailureCount() {
  /** Why each lead failed, by its id. A lead counts once, however often it fails. */
  const failed = new Map<string, TripCause>()
  let since = 0
  let answeredAt = Number.NEGATIVE_INFINITY
  const listRefused = () => [...failed].flatMap(([id, cause]) => (cause === 'refused' ? [id] : []))
  return {
    /** Counts an attempt. @returns why the attempt trips a closed breaker; undefined if the breaker stays closed */
    add: ({ leadId, attemptsSpent, outcome, startedAt, endedAt }: AttemptEvidence) => {
      const meaning = classifyOutcome(outcome)
      if (meaning === 'nothing') return undefined
      if (meaning === 'answer') {
        failed.clear()
        answeredAt = endedAt
        return undefined
      }
      // The lead failed before while other leads succeeded, so its refusal proves nothing about the distributor.
      if (meaning === 'refused' && attemptsSpent > 0) return undefined
      if (failed.size === 0) since = startedAt
      failed.set(leadId, meaning)
      if (failed.size >= failedToOpen) return meaning
      const { usually, soonAfterAnswer, soonMs } = refusedToOpen
      const requiredLeads = endedAt - answeredAt <= soonMs ? soonAfterAnswer : usually
      return meaning === 'refused' && listRefused().length >= requiredLeads ? meaning : undefined
    },
    /** Lists the ids of the refused leads. */
    listRefused,
    /** When the first failed attempt started, in epoch milliseconds. */
    since: () => since,
    /** Forgets the failed leads, but not when the distributor last answered. */
    reset: () => failed.clear(),
  }
}

/** `untried`: a lead that has not failed during the trip is the probe. `repeat`: a failed lead is the probe again. */
export type ProbeKind = 'untried' | 'repeat'

/**
 * After this many failed probes, the product assumes that the distributor is at fault. For refusals, the number is above 150, so that
 * the probes also try a good lead even if an attacker has sent 150 forbidden leads from 150 networks.
 */
const failedProbesBeforeBlame: Readonly<Record<TripCause, number>> = { refused: 200, outage: 3 }

/** The milliseconds until a failed lead may be a probe again: more after refusals, which usually need a person. */
const repeatWaits: Readonly<Record<TripCause, number>> = { refused: 300_000, outage: 30_000 }

export const isDistributorToBlame = ({
  cause,
  failedProbes,
}: Pick<BreakerTrip, 'cause' | 'failedProbes'>): boolean =>
  failedProbes >= failedProbesBeforeBlame[cause]

/** Decides when the next probe may start, after a failure at `at` (epoch milliseconds). */
export function scheduleProbe(
  trip: Omit<BreakerTrip, 'probeAt' | 'repeatAt'>,
  at: number,
): BreakerTrip {
  const { cause, failedProbes } = trip
  const refusedWait = isDistributorToBlame(trip) ? repeatWaits.refused : failedProbes < 3 ? 0 : 250
  const wait = cause === 'outage' ? Math.min(1000 * 2 ** failedProbes, 5000) : refusedWait
  return { ...trip, probeAt: at + wait, repeatAt: at + repeatWaits[cause] }
}

/**
 * Returns whether the distributor caused the trip, so that the leads' failed attempts don't count: enough different
 * leads have failed, or the distributor has now answered a lead that failed before.
 */
export const wasDistributorAtFault = (trip: BreakerTrip | null, answered: ProbeKind): boolean =>
  answered === 'repeat' || (trip !== null && isDistributorToBlame(trip))

/** The shortest time between probes of starting workers, in milliseconds: a process may restart in a loop. */
export const minWorkerStartProbeIntervalMs = 300_000

/**
 * Classifies an outage: no response (`silence`), an error status such as 503, or a response that breaks the contract.
 * @param reason in the format of `formatOutcome`, such as `HTTP 200` or `timeout`
 */
export function classifyOutage(reason: string) {
  const status = /^HTTP (\d{3})$/.exec(reason)?.[1]
  if (status === undefined) return 'silence'
  return /^(408|429|5..)$/.test(status) ? 'error' : 'unusable'
}

const outageDescriptions = {
  silence: 'the distributor does not answer',
  error: 'the distributor answers with an error',
  unusable: 'the distributor sends unusable answers',
}

const unusableAnswerHint =
  'Check DISTRIBUTOR_URL: a maintenance page, a proxy or a network’s sign-in page may answer in the distributor’s place.'

/**
 * Explains why deliveries wait, and until when; undefined if the breaker is closed.
 * @param since formats the start of the wait; returns an empty text if the page shows it elsewhere
 */
export function describeBreaker(
  { pause, trip }: BreakerState,
  since = (at: number): string => ` since ${new Date(at).toISOString()}`,
): string | undefined {
  if (pause !== null) {
    return `paused${since(pause.since)} by ${pause.by ?? 'an operator'}${parenthesize(pause.reason)}. New leads are stored and wait until an operator resumes deliveries.`
  }
  if (trip === null) return undefined
  return `${describeBreakerTrip(trip)}${parenthesize(trip.reason)}${since(trip.since)}. ${describeBreakerReset(trip)}`
}

export function describeBreakerTrip(trip: BreakerTrip): string {
  if (trip.cause === 'outage') return outageDescriptions[classifyOutage(trip.reason)]
  return isDistributorToBlame(trip)
    ? 'the distributor refuses us'
    : 'the distributor has accepted no lead'
}

export function describeBreakerReset(trip: BreakerTrip): string {
  if (trip.cause === 'outage') {
    const wait =
      'The worker sends one lead at a time until the distributor answers; the other leads wait.'
    return classifyOutage(trip.reason) === 'unusable' ? `${wait} ${unusableAnswerHint}` : wait
  }
  return isDistributorToBlame(trip)
    ? 'The distributor refused every lead that the worker tried. Correct DISTRIBUTOR_URL, CAMPAIGN_CODE or another id, and restart the server; if the distributor fixed the problem, choose Try now. Meanwhile, the worker sends one lead every five minutes.'
    : 'The distributor refuses us, or only these leads. To find out, the worker sends one other lead at a time; the rest wait.'
}

const parenthesize = (text: string): string => (text === '' ? '' : ` (${text})`)

/** The reason of the pause that follows a restore. The console shows instructions beside this reason. */
export const restorePauseReason = 'restored from a backup'
