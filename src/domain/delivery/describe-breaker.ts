import { type BreakerState, isDistributorAtFault, type Trip } from './breaker.ts'

/** `silence`: no response. `error`: a reported failure (408, 429, 5xx). `unusable`: a response that breaks the contract. */
export type OutageKind = 'silence' | 'error' | 'unusable'

/** @param reason the latest response as `formatOutcome` writes it: `HTTP 200`, `timeout` */
export function classifyOutage(reason: string): OutageKind {
  const status = /^HTTP (\d{3})$/.exec(reason)?.[1]
  if (status === undefined) return 'silence'
  return /^(408|429|5..)$/.test(status) ? 'error' : 'unusable'
}

const outageWords: Readonly<Record<OutageKind, string>> = {
  silence: 'the distributor does not answer',
  error: 'the distributor answers with an error',
  unusable: 'the distributor answers, but not usably',
}

/** Tells operators what to check if the distributor's answers can't be used. */
export const unusableAnswerHint =
  'Check DISTRIBUTOR_URL: a maintenance page, a proxy or a network’s sign-in page may answer in the distributor’s place.'

/**
 * Explains why deliveries are held back and how the hold ends; undefined if nothing holds deliveries back.
 *
 * @param since describes when the hold began; returns an empty text if the reader sees the time elsewhere
 */
export function describeBreaker(
  { pause, trip }: BreakerState,
  since = (at: number): string => ` since ${new Date(at).toISOString()}`,
): string | undefined {
  if (pause !== null) {
    return `paused${since(pause.since)} by an operator${parenthesize(pause.reason)}. Leads are accepted and wait until an operator resumes deliveries.`
  }
  if (trip === null) return undefined
  return `${describeBreakerTrip(trip)}${parenthesize(trip.reason)}${since(trip.since)}. ${describeBreakerReset(trip)}`
}

export function describeBreakerTrip(trip: Trip): string {
  if (trip.cause === 'outage') return outageWords[classifyOutage(trip.reason)]
  return isDistributorAtFault(trip)
    ? 'the distributor refuses us'
    : 'the distributor has accepted no lead'
}

export function describeBreakerReset(trip: Trip): string {
  if (trip.cause === 'outage') {
    const wait = 'One attempt at a time runs until the distributor answers; the other leads wait.'
    return classifyOutage(trip.reason) === 'unusable' ? `${wait} ${unusableAnswerHint}` : wait
  }
  return isDistributorAtFault(trip)
    ? 'The distributor refused every lead that was tried. Correct DISTRIBUTOR_URL or the campaign’s settings and restart; if the distributor fixed the problem, choose Resume. Meanwhile, one attempt runs every five minutes.'
    : 'The distributor refuses us, or only these leads. One other lead at a time is tried to find out which; the rest wait.'
}

const parenthesize = (text: string): string => (text === '' ? '' : ` (${text})`)

/** The reason of the pause after a restore; the console shows instructions beside a pause with this reason. */
export const restorePauseReason = 'restored from a backup'
