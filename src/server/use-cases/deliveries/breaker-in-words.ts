import type { BreakerState, Trip } from '#domain/delivery/breaker.ts'
import { isProven } from '#domain/delivery/culprit.ts'

/** What holds deliveries up, and how it ends; undefined where nothing does. */
export function breakerInWords({ pause, trip }: BreakerState): string | undefined {
  if (pause !== null) {
    return `paused since ${time(pause.since)} by an operator${inBrackets(pause.reason)}. Leads are accepted and wait: “resume” sends them.`
  }
  return trip === null ? undefined : tripInWords(trip)
}

function tripInWords(trip: Trip): string {
  const said = `${inBrackets(trip.reason)} since ${time(trip.since)}`
  if (trip.cause === 'outage') {
    return `the distributor does not answer${said}. One try at a time is made until it does; the rest waits.`
  }
  return isProven(trip)
    ? `the distributor refuses us${said}: it took none of the leads tried. Correct DISTRIBUTOR_URL or the values of the campaign and restart; has it been mended on their side, “resume”. Meanwhile one try is made every five minutes.`
    : `the distributor has taken no lead${said}: it refuses us, or these leads alone. Others are tried, one at a time, to tell; the rest waits.`
}

const inBrackets = (text: string): string => (text === '' ? '' : ` (${text})`)

const time = (at: number): string => new Date(at).toISOString()
