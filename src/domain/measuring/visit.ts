import type { Field } from '#domain/enquiry/enquiry.ts'
import { type StepNumber, steps, thankYouStep } from '#domain/enquiry/steps.ts'
import { type FunnelGroup, toBucket, type VisitEvent } from './funnel.ts'

/** The longest visit that is measured; later reports of the same tab are dropped. */
export const maxVisitMs = 24 * 3_600_000

/** A visit as reported so far. No part of it is text that a visitor typed. */
export interface VisitProgress {
  /** The time since the visit began, in milliseconds; a later report has a larger time. */
  readonly openMs: number
  /** Whether the visitor has changed a field. */
  readonly isStarted: boolean
  /** The step that the visitor sees; 4 is the thank-you screen. */
  readonly step: StepNumber
  /** By step: how often the visitor came to it, and how long it was visible in milliseconds (0 without JavaScript). */
  readonly shown: readonly number[]
  readonly visibleMs: readonly number[]
  /** The field that had the focus last. */
  readonly field?: Field | null | undefined
  /** The rules that refused a field, as in `zip format`. */
  readonly refused: readonly string[]
  /** Core Web Vitals of the latest page: LCP and INP in milliseconds, CLS in thousandths. */
  readonly vitals: { readonly [Vital in (typeof vitalNames)[number]]?: number | undefined }
}

export const vitalNames = ['lcp', 'inp', 'cls'] as const

export interface Visit extends FunnelGroup {
  readonly id: string
  readonly device: NonNullable<FunnelGroup['device']>
  readonly progress: VisitProgress
}

/**
 * Merges two reports of a visit in any order: a repeated report, or an older one, changes nothing. A visit that goes on
 * in the script after a posted form counts its time anew.
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

/** The most refusals of a visit that are counted: few people meet more, and each becomes a row of each group. */
const maxCountedRefusals = 20

/** What a visit adds to the counts: each event and detail at most once. */
export function listVisitEvents({
  isStarted,
  step,
  shown,
  visibleMs,
  field,
  refused,
  vitals,
}: VisitProgress): readonly (readonly [event: VisitEvent, detail: string])[] {
  const furthest = Math.max(step, ...shown.map((times, index) => (times > 0 ? index : 0)))
  const hasSent = furthest === thankYouStep
  const reached = Array.from({ length: furthest }, (_, index) => index + 1)
  const returnedTo = steps.flatMap((_, index) => ((shown[index] ?? 0) > 1 ? [index] : []))
  const timed = steps.flatMap((_, index) => {
    const ms = visibleMs[index] ?? 0
    return ms > 0 ? [`${index} ${toBucket(ms)}`] : []
  })
  const isOfStep = field && steps[step]?.fields.includes(field)
  return [
    ['seen', ''],
    ...(isStarted || furthest > 0 ? ([['started', '']] as const) : []),
    ...reached.map((index) => ['reached', String(index)] as const),
    ...returnedTo.map((index) => ['returned', String(index)] as const),
    ...timed.map((detail) => ['time', detail] as const),
    ...(hasSent ? [] : ([['left', String(step)]] as const)),
    ...(hasSent || !isOfStep ? [] : ([['field', `${step} ${field}`]] as const)),
    ...refused.slice(0, maxCountedRefusals).map((rule) => ['refused', rule] as const),
    ...vitalNames.flatMap((vital) => {
      const value = vitals[vital]
      return value === undefined ? [] : [[vital, String(toBucket(value))] as const]
    }),
  ]
}
