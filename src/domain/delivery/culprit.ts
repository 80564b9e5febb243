import type { FailedProbes, Patience, ProbeKind, Trip } from './breaker.ts'

/** Whose doing a trip is. */
export type Culprit = 'the distributor' | 'these leads'

/**
 * So many other leads that were refused blame the distributor: one that refuses us gets no more calls in a row. Where it
 * has answered within the last minute it takes twice as many, and where somebody keeps sending forbidden leads more yet:
 * see `patienceAfter`.
 */
export const enoughRefusals = { atFirst: 15, whileAnswering: 30, atMost: 60 }

/** An outage begins with ten leads that failed; three more blame the distributor. */
const enoughFailures = 3

type Probed = Pick<Trip, 'cause' | 'failedProbes' | 'enoughRefusals'>

const refusalsOf = ({ refusal, akinRefusal }: FailedProbes): number => refusal + akinRefusal

/** Whether so many different leads have failed that it is the distributor. */
export const isProven = ({ cause, failedProbes, enoughRefusals }: Probed): boolean =>
  cause === 'outage'
    ? failedProbes.outage >= enoughFailures
    : refusalsOf(failedProbes) >= enoughRefusals

/** One network's leads may be refused as often as they like: a lead of another still says something new. */
const isProvenFor = (trip: Probed, kind: 'first' | 'akin'): boolean =>
  trip.cause === 'refusal' && kind === 'first'
    ? trip.failedProbes.refusal >= trip.enoughRefusals
    : isProven(trip)

/** Whether another probe of this kind would say something new; of an outage, that it has ended. */
export const isTelling = (trip: Probed, kind: ProbeKind): boolean =>
  kind !== 'repeat' && (trip.cause === 'outage' || !isProvenFor(trip, kind))

/**
 * Once a lead is answered: it was the distributor's doing where it was to blame, or where a lead passes that failed
 * before; else that of the leads that failed while another passed.
 */
export const culpritOf = (trip: Probed, answered: ProbeKind): Culprit =>
  answered === 'repeat' || isProvenFor(trip, answered) ? 'the distributor' : 'these leads'

const patientForMs = 3_600_000

/**
 * Where refused leads came half the way to blame the distributor and were to blame themselves, the trips of the next
 * hour ask for twice as many: among many forbidden leads a dozen in a row come about by chance.
 * @returns undefined where nothing changes
 */
export function patienceAfter(trip: Probed, answered: ProbeKind, at: number): Patience | undefined {
  const isFar = refusalsOf(trip.failedProbes) * 2 >= trip.enoughRefusals
  if (trip.cause === 'outage' || !isFar || culpritOf(trip, answered) === 'the distributor') {
    return undefined
  }
  const twice = Math.min(trip.enoughRefusals * 2, enoughRefusals.atMost)
  return { enoughRefusals: twice, until: at + patientForMs }
}
