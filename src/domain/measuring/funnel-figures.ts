import type { Field } from '#domain/enquiry/answers.ts'
import { renameFormerFields } from '#domain/enquiry/former-names.ts'
import { steps } from '#domain/enquiry/steps.ts'
import { findPercentile, type VisitEventCounts } from './funnel.ts'
import { webVitalNames } from './visit.ts'

interface StatusCount {
  readonly status: string
  readonly cause: string | null
  readonly leads: number
  readonly returned: number
}

/** The figures of the visits and leads of a period. */
export interface FunnelFigures {
  readonly visits: number
  readonly started: number
  readonly steps: readonly StepFigures[]
  /**
   * The number of stored leads. `byStatus` counts leads by their current status; `owed` leads wait for delivery. The
   * distributor's last answer counts until the next: `retried` leads, which wait or failed after a rejection, count as
   * rejected, too.
   */
  readonly leads: number
  readonly retried: number
  readonly byStatus: Readonly<Record<string, number>>
  /** Accepted leads that the distributor has taken back. */
  readonly returned: number
  /** The number of rejected leads for each reason of the distributor. */
  readonly rejectedBecause: Readonly<Record<string, number>>
  /** The 75th percentile of each Core Web Vital (LCP and INP in milliseconds, CLS in thousandths). */
  readonly vitals: Readonly<Partial<Record<(typeof webVitalNames)[number], number | undefined>>>
}

export interface StepFigures {
  readonly visits: number
  readonly returned: number
  readonly left: number
  /** The median time for which the step was visible, in milliseconds; undefined if no visit was timed. */
  readonly medianMs: number | undefined
  readonly p90Ms: number | undefined
  /** The field that most often had the focus last when a visit ended on this step. */
  readonly lastField: MostFrequent<Field> | undefined
  /** The field that was refused in the most visits, and the rule that refused it. */
  readonly refused: MostFrequent<{ readonly field: Field; readonly rule: string }> | undefined
}

interface MostFrequent<Value> {
  readonly value: Value
  readonly visits: number
}

/** @param countsAsStored the number of visits with each event; only `seen` and `started` if split by a dimension or week */
export function makeFunnelFigures(
  countsAsStored: VisitEventCounts,
  outcomes: readonly StatusCount[],
): FunnelFigures {
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
  const retried = rejected.filter(({ status }) => status !== 'rejected')
  const sum = (found: readonly StatusCount[], keyOf: (item: StatusCount) => string) => {
    const sums: Record<string, number> = {}
    for (const item of found) sums[keyOf(item)] = (sums[keyOf(item)] ?? 0) + item.leads
    return sums
  }
  return {
    visits: count('seen'),
    started: count('started'),
    steps: steps.map(({ fields }, step) => ({
      visits: count(step === 0 ? 'seen' : `reached ${step}`),
      returned: count(`returned ${step}`),
      left: count(`left ${step}`),
      medianMs: percentileOf(`time ${step}`, 0.5),
      p90Ms: percentileOf(`time ${step}`, 0.9),
      lastField: listEvents(`field ${step}`)[0] as MostFrequent<Field> | undefined,
      refused: refusals.find(({ value }) => fields.includes(value.field)),
    })),
    leads: outcomes.reduce((total, { leads }) => total + leads, 0),
    returned: outcomes.reduce((total, { returned }) => total + returned, 0),
    retried: retried.reduce((total, { leads }) => total + leads, 0),
    byStatus: {
      ...sum(outcomes, ({ status }) => status),
      ...sum(rejected, () => 'rejected'),
    },
    rejectedBecause: sum(rejected, ({ cause }) => cause ?? 'rejected'),
    vitals: Object.fromEntries(webVitalNames.map((vital) => [vital, percentileOf(vital, 0.75)])),
  }
}
