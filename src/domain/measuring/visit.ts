import type { Field, StepNumber } from '#domain/enquiry/enquiry.ts'
import { steps, thankYouStep } from '#domain/enquiry/steps.ts'
import { type FunnelGroup, toHistogramBucket } from './funnel.ts'

/** The longest visit that is measured. Later reports of the same tab are dropped. */
export const maxVisitMs = 24 * 3_600_000

/** A visit as reported so far. It contains nothing that a visitor typed. */
export interface VisitProgress {
  /** The time since the visit began, in milliseconds; a later report has a larger time. */
  readonly openMs: number
  /** Whether the visitor has changed a field. */
  readonly isStarted: boolean
  /** The step that the visitor sees; 4 is the thank-you screen. */
  readonly step: StepNumber
  /** How often the visitor came to each step. */
  readonly shown: readonly number[]
  /** How long each step was visible, in milliseconds; 0 without JavaScript. */
  readonly visibleMs: readonly number[]
  /** The field that had the focus last. */
  readonly field?: Field | null | undefined
  /** The rules that refused a field, as in `zip format`. */
  readonly refused: readonly string[]
  /** Core Web Vitals of the latest page: LCP and INP in milliseconds, CLS in thousandths. */
  readonly vitals: { readonly [Vital in (typeof webVitalNames)[number]]?: number | undefined }
}

export const webVitalNames = ['lcp', 'inp', 'cls'] as const

export interface Visit extends FunnelGroup {
  readonly id: string
  readonly device: NonNullable<FunnelGroup['device']>
  readonly progress: VisitProgress
}

/**
 * Merges two reports of a visit in any order: a repeated report, or an older one, changes nothing. A report of the
 * script counts as newer than a form posted without JavaScript, because script and server measure the time from
 * different starts.
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

/** At most this many refusals of a visit are counted: few visits have more, and each makes the stored rows longer. */
const maxCountedRefusals = 20

/**
 * Lists the counts that a visit raises by one: `reached 1`, `returned 1`, `left 1` name the step, `time 1 14` the
 * step and the bucket, `field 1 zip` the step and the last touched field, `refused zip format` the field and the rule,
 * and `lcp 20` the bucket of a web vital.
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
