import type { Field } from '#domain/enquiry/answers.ts'
import { steps } from '#domain/enquiry/enquiry.ts'
import { renameFormerFields } from '#domain/enquiry/former-names.ts'
import { findPercentile, type VisitEventCounts } from './funnel.ts'
import { webVitalNames } from './visit.ts'

interface StatusCount {
  readonly status: string
  readonly cause: string | null
  readonly leads: number
  readonly returned: number
}

export type FunnelFigures = ReturnType<typeof makeFunnelFigures>

/** @param countsAsStored the number of visits with each event; only `seen` and `started` if split by a dimension or week */
export function makeFunnelFigures(
  countsAsStored: VisitEventCounts,
  outcomes: readonly StatusCount[],
) {
  const counts: Record<string, number> = {}
  for (const [event, visits] of Object.entries(countsAsStored)) {
    const name = renameFormerFields(event)
    counts[name] = (counts[name] ?? 0) + visits
  }
  const count = (event: string) => counts[event] ?? 0
  /** Lists the events that begin with a prefix, most visits first, and cuts off the prefix. */
  const listEvents = (prefix: string) =>
    Object.entries(counts)
      .filter(([event]) => event.startsWith(`${prefix} `))
      .map(([event, visits]) => ({ value: event.slice(prefix.length + 1), visits }))
      .sort((one, other) => other.visits - one.visits)
  const percentileOf = (prefix: string, share: number) =>
    findPercentile(
      new Map(listEvents(prefix).map(({ value, visits }) => [Number(value), visits])),
      share,
    )
  const refusals = listEvents('refused').map(({ value, visits }) => {
    const [field, rule = ''] = value.split(' ')
    return { value: { field: field as Field, rule }, visits }
  })
  const rejected = outcomes.filter(({ cause }) => cause !== null)
  const add = (found: readonly StatusCount[], name: 'leads' | 'returned' = 'leads') =>
    found.reduce((sum, counted) => sum + counted[name], 0)
  const addBy = (found: readonly StatusCount[], keyOf: (counted: StatusCount) => string) => {
    const sums: Record<string, number> = {}
    for (const item of found) sums[keyOf(item)] = (sums[keyOf(item)] ?? 0) + item.leads
    return sums
  }
  return {
    visits: count('seen'),
    started: count('started'),
    steps: steps.map(({ fields }, step) => ({
      visits: count(step === 0 ? 'seen' : `reached ${step}`),
      cameBack: count(`returned ${step}`),
      left: count(`left ${step}`),
      /** The median time for which the step was visible, in milliseconds; undefined if no visit was timed. */
      medianMs: percentileOf(`time ${step}`, 0.5),
      p90Ms: percentileOf(`time ${step}`, 0.9),
      /** The field that most often had the focus last when a visit ended on this step. */
      lastField: listEvents(`field ${step}`)[0] as { value: Field; visits: number } | undefined,
      /** The field that was refused in the most visits, and the rule that refused it. */
      refused: refusals.find(({ value }) => fields.includes(value.field)),
    })),
    leads: add(outcomes),
    /** Accepted leads that the distributor has taken back. */
    returned: add(outcomes, 'returned'),
    /** Leads that wait or failed after a rejection: they count as rejected, too, until the distributor's next answer. */
    retried: add(rejected.filter(({ status }) => status !== 'rejected')),
    byStatus: {
      ...addBy(outcomes, ({ status }) => status),
      ...addBy(rejected, () => 'rejected'),
    },
    /** The number of rejected leads for each reason of the distributor. */
    rejectedBecause: addBy(rejected, ({ cause }) => cause ?? 'rejected'),
    /** The 75th percentile of each Core Web Vital (LCP and INP in milliseconds, CLS in thousandths). */
    vitals: Object.fromEntries(
      webVitalNames.map((vital) => [vital, percentileOf(vital, 0.75)]),
    ) as Partial<Record<(typeof webVitalNames)[number], number | undefined>>,
  }
}

/** The minimum number of answered leads. With fewer answers, the interval is too wide to be useful. */
const minAnswers = 10
/** 95% of a normal distribution lies within this many standard deviations of the mean. */
const z = 1.96

/**
 * Finds the share of accepted leads, from 0 to 1, with the ends of its 95% Wilson score interval; undefined if the
 * distributor has answered too few leads.
 */
export function findAcceptanceRate(accepted: number, rejected: number) {
  const n = accepted + rejected
  if (n < minAnswers) return undefined
  const share = accepted / n
  const scale = 1 + z ** 2 / n
  const middle = (share + z ** 2 / (2 * n)) / scale
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / n + z ** 2 / (4 * n ** 2))
  return { share, low: Math.max(0, middle - half), high: Math.min(1, middle + half) }
}

/**
 * Describes the share and its interval, which is rounded outward so that it never looks too narrow.
 * @param isShort for a narrow cell, as in `52% (42–62%)` instead of `52%, between 42% and 62%`
 */
export function describeAcceptanceRate(
  rate: ReturnType<typeof findAcceptanceRate>,
  isShort = false,
): string {
  if (rate === undefined) return 'too few to tell'
  const share = Math.round(rate.share * 100)
  const [low, high] = [Math.floor(rate.low * 100), Math.ceil(rate.high * 100)]
  return isShort ? `${share}% (${low}–${high}%)` : `${share}%, between ${low}% and ${high}%`
}
