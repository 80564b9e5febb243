import {
  enoughRefused,
  type FailedProbes,
  type Patience,
  type ProbeKind,
  type Trip,
} from './breaker.ts'

/** Whose doing a trip is. */
export type Culprit = 'the distributor' | 'these leads'

/** An outage begins with ten leads that failed; three more blame the distributor. */
const enoughFailures = 3

type Probed = Pick<Trip, 'cause' | 'failedProbes' | 'enoughRefused'>

const refusedIn = ({ refused, akinRefused }: FailedProbes): number => refused + akinRefused

/** Whether so many different leads have failed that it is the distributor. */
export const isProven = ({ cause, failedProbes, enoughRefused: enough }: Probed): boolean =>
  cause === 'outage' ? failedProbes.outage >= enoughFailures : refusedIn(failedProbes) >= enough

/** One network's leads may be refused as often as they like: a lead of another still says something new. */
const isProvenFor = (trip: Probed, kind: 'first' | 'akin'): boolean =>
  trip.cause === 'refused' && kind === 'first'
    ? trip.failedProbes.refused >= trip.enoughRefused
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

export const patientForMs = 24 * 3_600_000

/**
 * Where leads were refused alone, the trips of the next day ask for more before they blame the distributor: it answers,
 * whichever process has heard it, and a dozen in a row come about by chance. Where it refused us, that is over.
 * @returns undefined where nothing changes
 */
export function patienceAfter(trip: Probed, answered: ProbeKind, at: number): Patience | undefined {
  if (trip.cause === 'outage') return undefined
  return culpritOf(trip, answered) === 'these leads'
    ? { enoughRefused: enoughRefused.whereAnswered, until: at + patientForMs }
    : noPatience(at)
}

/** Where an operator ends it: as above. */
export const patienceAfterResume = (trip: Probed, at: number): Patience | undefined =>
  trip.cause === 'refused' && isProven(trip) ? noPatience(at) : undefined

const noPatience = (at: number): Patience => ({ enoughRefused: enoughRefused.atFirst, until: at })
