import type { FilterFieldProps } from '#console/leads/filter-form.tsx'
import type {
  FieldDefinition,
  FieldParser,
  makeFieldDefinitions,
} from '#console/leads/read-filter.ts'
import { formatDay } from '#domain/calendar.ts'
import { explainInvalidState, keepText, parseState } from '#domain/lead/lead-filter.ts'
import type { FunnelFilter, LeadDimension } from '#domain/measuring/funnel.ts'
import type { Period } from '#domain/measuring/periods.ts'
import { maxGroups, type RejectionReasons } from '#server/measuring/rejection-reasons.ts'

export type Reasons = ReturnType<RejectionReasons>

/** The fields of the filter of `/leads`. */
type KnownFields = ReturnType<typeof makeFieldDefinitions>

/** Parameters of `/leads` that select leads. */
export type LeadsParameters = readonly [name: string, value: string][]

/** How pages filter by a dimension, and name its values. */
export interface Dimension extends FieldParser<string | number> {
  /** Names the leads without a value. */
  readonly unknown: string
  /** Makes the filter's field, whose options also name the values. */
  readonly makeField: (known: KnownFields, reasons: Reasons) => FieldDefinition
  /** Selects a value's leads, and no others, on `/leads`; undefined if `/leads` cannot. */
  readonly makeParameters: (value: string, reasons: Reasons) => LeadsParameters | undefined
}

/** For a dimension by which `/leads` filters under the same name. */
export const asOnLeads = (name: keyof KnownFields) => ({
  makeField: (known: KnownFields) => known[name],
  makeParameters: (value: string): LeadsParameters => [[name, value]],
})

/** What only leads have. The entries are parsers for `parsePageFilter`, too. */
export const leadDimensionTable = {
  medium: { parse: keepText, unknown: 'no medium', ...asOnLeads('medium') },
  content: { parse: keepText, unknown: 'no content', ...asOnLeads('content') },
  state: {
    ...{ parse: parseState, explain: explainInvalidState, unknown: 'unknown' },
    ...asOnLeads('state'),
  },
  reason: {
    ...{ parse: keepText, unknown: 'not rejected' },
    makeField: (_, { names }) => ({ label: 'Rejected because', suggestions: names }),
    makeParameters: (reason, reasons) => {
      const groups = reasons.findGroups(reason)
      if (groups === undefined || groups.length === 0 || groups.length > maxGroups) return undefined
      return [['rejected', 'any'], ...groups.map((id): [string, string] => ['error', id])]
    },
  },
} as const satisfies Readonly<Record<LeadDimension, Dimension>>

type Dimensions = Readonly<Record<string, Dimension>>
type Texts = Readonly<Partial<Record<string, string>>>

export const makeDimensionFields = (
  dimensions: Dimensions,
  { given, faults }: { readonly given: Texts; readonly faults: Texts },
  ...known: Parameters<Dimension['makeField']>
): readonly FilterFieldProps[] =>
  Object.entries(dimensions).map(([name, { makeField }]) => ({
    ...{ name, value: given[name] ?? '', problem: faults[name] },
    ...makeField(...known),
  }))

/** Picks the conditions on dimensions from the values of a page's URL. */
export const pickFilter = (dimensions: Dimensions, values: FunnelFilter): FunnelFilter =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name in dimensions))

/**
 * Makes the parameters of `/leads` for the leads that a page counts.
 * @returns undefined if `/leads` cannot select the leads, for example by a reason without words
 */
export function makeLeadsParameters(
  dimensions: Dimensions,
  given: Texts,
  reasons: Reasons,
): LeadsParameters | undefined {
  const parameters = Object.entries(dimensions).map(([name, { makeParameters }]) =>
    given[name] ? makeParameters(given[name], reasons) : [],
  )
  return parameters.every((found) => found !== undefined) ? parameters.flat() : undefined
}

/** Makes the query string of `/leads` for leads of some days; undefined if `/leads` cannot select the leads. */
export const makeLeadsQuery = (
  parameters: LeadsParameters | undefined,
  { first, last }: Pick<Period, 'first' | 'last'>,
): string | undefined =>
  parameters &&
  `${new URLSearchParams([...parameters, ['from', formatDay(first)], ['to', formatDay(last)]])}`
