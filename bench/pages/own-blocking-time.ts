import * as v from 'valibot'

const event = v.object({
  name: v.string(),
  ph: v.string(),
  pid: v.number(),
  tid: v.number(),
  /** Microseconds. */
  ts: v.number(),
  /** How long the thread worked, in microseconds. */
  tdur: v.optional(v.number(), 0),
})

const trace = v.object({ traceEvents: v.array(v.unknown()) })

/** Lighthouse's own factor for its mid-range phone. */
const slowdown = 4
const longTaskMs = 50

/**
 * Computes total blocking time as Lighthouse defines it, but from the time in which the page's thread worked instead of
 * elapsed time. On two cores, a task waits for the browser's other processes and lasts three to five times as long as
 * it works, which varies between visits.
 * @param recorded Chromium's parsed trace
 * @returns milliseconds; undefined if the trace has no first paint
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
