import type { BreakerState } from '#domain/delivery/breaker.ts'

/** What holds deliveries up, and how it ends; undefined where nothing does. */
export function breakerInWords({ pause, outage }: BreakerState): string | undefined {
  if (pause?.by === 'operator') {
    return `paused since ${time(pause.since)} by an operator${reason(pause.reason)}. Leads are accepted and wait: “resume” sends them.`
  }
  if (pause !== null) {
    return `paused since ${time(pause.since)}: ${pause.reason}. Meanwhile one try is made every five minutes.`
  }
  if (outage !== null) {
    return `the distributor has not answered since ${time(outage.since)}. One try at a time is made until it does; the rest waits.`
  }
  return undefined
}

const reason = (text: string): string => (text === '' ? '' : ` (${text})`)

const time = (at: number): string => new Date(at).toISOString()
