import { type BreakerState, blamesDistributor, type Trip } from './breaker.ts'
import { outageInWords, outageKindOf, whenUnusable } from './outage-in-words.ts'

/**
 * What holds deliveries up, and how it ends; undefined where nothing does.
 * @param since since when, in words; empty where the reader is told otherwise
 */
export function breakerInWords(
  { pause, trip }: BreakerState,
  since = (at: number): string => ` since ${new Date(at).toISOString()}`,
): string | undefined {
  if (pause !== null) {
    return `paused${since(pause.since)} by an operator${inBrackets(pause.reason)}. Leads are accepted and wait: “resume” sends them.`
  }
  if (trip === null) return undefined
  return `${whatHolds(trip)}${inBrackets(trip.reason)}${since(trip.since)}. ${howItEnds(trip)}`
}

function whatHolds(trip: Trip): string {
  if (trip.cause === 'outage') return outageInWords(trip.reason)
  return blamesDistributor(trip)
    ? 'the distributor refuses us'
    : 'the distributor has taken no lead'
}

/** For who knows already what holds them up. */
export function howItEnds(trip: Trip): string {
  if (trip.cause === 'outage') {
    const wait = 'One try at a time is made until one is answered as it should be; the rest waits.'
    return outageKindOf(trip.reason) === 'unusable' ? `${wait} ${whenUnusable}` : wait
  }
  return blamesDistributor(trip)
    ? 'It took none of the leads tried. Correct DISTRIBUTOR_URL or the values of the campaign and restart; has it been mended on their side, “resume”. Meanwhile one try is made every five minutes.'
    : 'It refuses us, or these leads alone. Others are tried, one at a time, to tell; the rest waits.'
}

const inBrackets = (text: string): string => (text === '' ? '' : ` (${text})`)
