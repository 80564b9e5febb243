import * as v from 'valibot'

const event = v.object({
  name: v.string(),
  ph: v.string(),
  pid: v.number(),
  tid: v.number(),
  /** Microseconds. */
  ts: v.number(),
  /** Microseconds that the thread worked. */
  tdur: v.optional(v.number(), 0),
})

const trace = v.object({ traceEvents: v.array(v.unknown()) })

/** Lighthouse's own, for its mid-range phone. */
const slowdown = 4
const longTaskMs = 50

/**
 * Total blocking time as Lighthouse defines it, but of the time that the page's thread worked instead of the time that
 * went by: on two cores a task stands three to five times as long as it works, waiting for the browser's other
 * processes, and that varies from visit to visit.
 * @param recorded Chromium's trace, parsed
 * @returns milliseconds; undefined where the trace has no first paint
 */
export function ownBlockingTime(recorded: unknown): number | undefined {
  const events = v
    .parse(trace, recorded)
    .traceEvents.flatMap((one) => (v.is(event, one) ? [v.parse(event, one)] : []))
  const painted = events.findLast(({ name }) => name === 'firstContentfulPaint')
  if (painted === undefined) return undefined
  return events
    .filter(
      ({ name, ph, pid, tid, ts }) =>
        ph === 'X' &&
        name.endsWith('RunTask') &&
        pid === painted.pid &&
        tid === painted.tid &&
        ts >= painted.ts,
    )
    .reduce((sum, { tdur }) => sum + Math.max(0, (tdur / 1000) * slowdown - longTaskMs), 0)
}
