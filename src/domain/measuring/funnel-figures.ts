import type { Field } from '#domain/enquiry/enquiry.ts'
import { steps } from '#domain/enquiry/steps.ts'
import { findPercentile, type VisitCounts } from './funnel.ts'
import { webVitalNames } from './visit.ts'

interface StatusCount {
  readonly status: string
  readonly cause: string | null
  readonly leads: number
  readonly returned: number
}

/** The counts of a period's visits and leads. */
export interface FunnelFigures {
  readonly visits: number
  readonly started: number
  readonly steps: readonly StepFigures[]
  /** Leads that are stored, by their current status: `owed` waits for its delivery. */
  readonly leads: number
  readonly byStatus: Readonly<Record<string, number>>
  /** Accepted leads that the distributor has taken back. */
  readonly returned: number
  /** Rejected leads by the distributor's reason. */
  readonly rejectedBecause: Readonly<Record<string, number>>
  /** The 75th percentile of each Core Web Vital: LCP and INP in milliseconds, CLS in thousandths. */
  readonly vitals: Readonly<Partial<Record<(typeof webVitalNames)[number], number | undefined>>>
}

export interface StepFigures {
  readonly visits: number
  readonly returned: number
  readonly left: number
  /** The time for which the step was visible, in milliseconds; undefined if no visit was timed. */
  readonly medianMs: number | undefined
  readonly p90Ms: number | undefined
  /** The field that had the focus last in most of the visits that ended on the step. */
  readonly lastField: MostFrequent<Field> | undefined
  /** The rule that refused a field in the most visits. */
  readonly refused: MostFrequent<{ readonly field: Field; readonly rule: string }> | undefined
}

interface MostFrequent<Value> {
  readonly value: Value
  readonly visits: number
}

/** @param counts of visits; those by a dimension have only `seen` and `started` */
export function makeFunnelFigures(
  counts: VisitCounts,
  outcomes: readonly StatusCount[],
): FunnelFigures {
  const count = (event: string) => counts[event] ?? 0
  /** Returns the events that begin with a prefix, without the prefix; most visits first. */
  const listEvents = (prefix: string) =>
    Object.entries(counts)
      .filter(([event]) => event.startsWith(`${prefix} `))
      .map(([event, visits]) => ({ value: event.slice(prefix.length + 1), visits }))
      .toSorted((one, other) => other.visits - one.visits)
  const percentileOf = (prefix: string, share: number) =>
    findPercentile(
      new Map(listEvents(prefix).map(({ value, visits }) => [Number(value), visits])),
      share,
    )
  const refusals = listEvents('refused').map(({ value, visits }) => {
    const [field, rule = ''] = value.split(' ')
    return { value: { field: field as Field, rule }, visits }
  })
  const sum = (found: readonly StatusCount[], keyOf: (item: StatusCount) => string) =>
    Object.fromEntries(
      [...Map.groupBy(found, keyOf)].map(([key, items]) => [
        key,
        items.reduce((total, { leads }) => total + leads, 0),
      ]),
    )
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
    byStatus: sum(outcomes, ({ status }) => status),
    rejectedBecause: sum(
      outcomes.filter(({ status }) => status === 'rejected'),
      ({ cause }) => cause ?? 'rejected',
    ),
    vitals: Object.fromEntries(webVitalNames.map((vital) => [vital, percentileOf(vital, 0.75)])),
  }
}
