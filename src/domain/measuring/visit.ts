import type { Field } from '#domain/enquiry/answers.ts'
import { type StepNumber, steps, thankYouStep } from '#domain/enquiry/enquiry.ts'
import { day } from '../durations.ts'
import { type FunnelGroup, toHistogramBucket } from './funnel.ts'

/** The longest visit that the funnel measures, in milliseconds. The server drops later reports of the same tab. */
export const maxVisitMs = day

/** How far a visit has come, as the browser reports it. The report contains nothing that the visitor typed. */
export interface VisitProgress {
  /** The milliseconds from the start of the visit to the report. A later report has a larger number. */
  readonly openMs: number
  /** Whether the visitor has changed a field. */
  readonly isStarted: boolean
  /** The step that the visitor sees; 4 is the thank-you screen. */
  readonly step: StepNumber
  /** How often the visitor came to each step. */
  readonly shown: readonly number[]
  /** How long each step was visible, in milliseconds; 0 without JavaScript. */
  readonly visibleMs: readonly number[]
  /** The field of the form that last had the focus. */
  readonly field?: Field | null | undefined
  /** The refused fields with the rules that refused them, such as `zip format`. */
  readonly refused: readonly string[]
  /** The Core Web Vitals (LCP and INP in milliseconds, CLS in thousandths) of the latest page. */
  readonly vitals: { readonly [Vital in (typeof webVitalNames)[number]]?: number | undefined }
}

export const webVitalNames = ['lcp', 'inp', 'cls'] as const

export interface Visit extends FunnelGroup {
  readonly id: string
  readonly device: NonNullable<FunnelGroup['device']>
  readonly progress: VisitProgress
}

/**
 * Merges two reports of a visit in any order; a repeated or older report changes nothing. A report of the script counts
 * as newer than a form posted without JavaScript, because script and server measure the time from different starts.
 */
export function mergeVisits(one: Visit, other: Visit): Visit {
  const ageOf = ({ device, progress }: Visit) =>
    progress.openMs + (device === 'none' ? 0 : maxVisitMs)
  const [older, newer] = ageOf(one) > ageOf(other) ? [other, one] : [one, other]
  const [before, after] = [older.progress, newer.progress]
  const largest = (first: readonly number[], second: readonly number[]) =>
    [0, 1, 2, 3, 4].map((step) => Math.max(first[step] ?? 0, second[step] ?? 0))
  return {
    ...newer,
    program: newer.program ?? older.program,
    progress: {
      ...after,
      isStarted: before.isStarted || after.isStarted,
      shown: largest(before.shown, after.shown),
      visibleMs: largest(before.visibleMs, after.visibleMs),
      field: after.field ?? before.field,
      refused: [...new Set([...before.refused, ...after.refused])],
      vitals: { ...before.vitals, ...after.vitals },
    },
  }
}

/** The maximum number of counted refusals of a visit. Few visits have more refusals, and each makes rows longer. */
const maxCountedRefusals = 20

/**
 * Lists the events of a visit that the funnel counts, where `reached 1`, `returned 1` and `left 1` name the step,
 * `time 1 14` the step and the bucket, `field 1 zip` the step and the last touched field, `refused zip format` the
 * field and the rule, and `lcp 20` the bucket of a web vital.
 */
export function listVisitEvents({
  isStarted,
  step,
  shown,
  visibleMs,
  field,
  refused,
  vitals,
}: VisitProgress): readonly string[] {
  const furthest = Math.max(step, ...shown.map((times, index) => (times > 0 ? index : 0)))
  const hasSent = furthest === thankYouStep
  const isOfStep = field && steps[step]?.fields.includes(field)
  return [
    'seen',
    ...(isStarted || furthest > 0 ? ['started'] : []),
    ...Array.from({ length: furthest }, (_, index) => `reached ${index + 1}`),
    ...steps.flatMap((_, index) => ((shown[index] ?? 0) > 1 ? [`returned ${index}`] : [])),
    ...steps.flatMap((_, index) => {
      const ms = visibleMs[index] ?? 0
      return ms > 0 ? [`time ${index} ${toHistogramBucket(ms)}`] : []
    }),
    ...(hasSent ? [] : [`left ${step}`]),
    ...(hasSent || !isOfStep ? [] : [`field ${step} ${field}`]),
    ...refused.slice(0, maxCountedRefusals).map((rule) => `refused ${rule}`),
    ...webVitalNames.flatMap((vital) => {
      const value = vitals[vital]
      return value === undefined ? [] : [`${vital} ${toHistogramBucket(value)}`]
    }),
  ]
}
