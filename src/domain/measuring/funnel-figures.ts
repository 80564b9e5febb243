import type { Field } from '#domain/enquiry/enquiry.ts'
import { steps } from '#domain/enquiry/steps.ts'
import { findPercentile, type VisitEvent } from './funnel.ts'
import { vitalNames } from './visit.ts'

interface EventCount {
  readonly event: VisitEvent
  readonly detail: string
  readonly n: number
}

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
  readonly vitals: Readonly<Partial<Record<(typeof vitalNames)[number], number>>>
}

export interface StepFigures {
  readonly visits: number
  readonly returned: number
  readonly left: number
  /** How long the step was visible, in milliseconds; undefined if no visit was timed. */
  readonly medianMs: number | undefined
  readonly p90Ms: number | undefined
  /** The field that had the focus last in most of the visits that ended on the step. */
  readonly lastField: Most<Field> | undefined
  /** The rule that refused a field in the most visits. */
  readonly refused: Most<{ readonly field: Field; readonly rule: string }> | undefined
}

interface Most<Value> {
  readonly value: Value
  readonly visits: number
}

export function makeFunnelFigures(
  events: readonly EventCount[],
  outcomes: readonly StatusCount[],
): FunnelFigures {
  const of = (event: VisitEvent) => events.filter((count) => count.event === event)
  const count = (event: VisitEvent, detail = '') =>
    of(event).find((found) => found.detail === detail)?.n ?? 0
  /** The counts whose detail begins with a step or a vital's bucket, with that prefix removed. */
  const ofStep = (event: VisitEvent, step: number) =>
    of(event).flatMap(({ detail, n }) =>
      detail.startsWith(`${step} `) ? [{ rest: detail.slice(`${step} `.length), n }] : [],
    )
  const visits = count('seen')
  const stepFigures = steps.map(({ fields }, step): StepFigures => {
    const times = new Map(ofStep('time', step).map(({ rest, n }) => [Number(rest), n]))
    const field = findMostFrequent(ofStep('field', step))
    const refusals = of('refused').flatMap(({ detail, n }) => {
      const [name = '', rule = ''] = detail.split(' ')
      const found = fields.find((one) => one === name)
      return found ? [{ rest: { field: found, rule }, n }] : []
    })
    const refused = findMostFrequent(refusals)
    return {
      visits: step === 0 ? visits : count('reached', String(step)),
      returned: count('returned', String(step)),
      left: count('left', String(step)),
      medianMs: findPercentile(times, 0.5),
      p90Ms: findPercentile(times, 0.9),
      lastField: field && { value: field.rest as Field, visits: field.n },
      refused: refused && { value: refused.rest, visits: refused.n },
    }
  })
  const sum = <Item extends StatusCount>(found: readonly Item[], keyOf: (item: Item) => string) =>
    Object.fromEntries(
      [...Map.groupBy(found, keyOf)].map(([key, items]) => [
        key,
        items.reduce((total, { leads }) => total + leads, 0),
      ]),
    )
  return {
    visits,
    started: count('started'),
    steps: stepFigures,
    leads: outcomes.reduce((total, { leads }) => total + leads, 0),
    returned: outcomes.reduce((total, { returned }) => total + returned, 0),
    byStatus: sum(outcomes, ({ status }) => status),
    rejectedBecause: sum(
      outcomes.filter(({ status }) => status === 'rejected'),
      ({ cause }) => cause ?? 'rejected',
    ),
    vitals: Object.fromEntries(
      vitalNames.flatMap((vital) => {
        const value = findPercentile(
          new Map(of(vital).map(({ detail, n }) => [Number(detail), n])),
          0.75,
        )
        return value === undefined ? [] : [[vital, value]]
      }),
    ),
  }
}

const findMostFrequent = <Rest>(counts: readonly { readonly rest: Rest; readonly n: number }[]) =>
  counts.toSorted((one, other) => other.n - one.n)[0]
