import type { ConsoleForm } from '#console/requests/read-form.ts'
import { tableParameters } from '#console/shell/sortable-table.tsx'
import { abuseSignals, describeSignal } from '#domain/abuse/signals.ts'
import { areas } from '#domain/area.ts'
import { describeErrorGroup, isErrorGroupId } from '#domain/delivery/error-group.ts'
import { maxOriginLength } from '#domain/lead/attribution.ts'
import {
  type LeadFilterField,
  leadFilterFields,
  parseLeadFilter,
  toFilterQuery,
} from '#domain/lead/lead-filter.ts'
import { isPersonalStatus, leadStatuses, statusLabels } from '#domain/lead/lead-status.ts'
import { type Message, makeFieldMessage, makeProblemMessage } from '#domain/operator/messages.ts'
import type { LeadCursor } from '#server/leads/find-leads.ts'
import { InvalidFilterError, readFilterTexts } from '#server/leads/lead-filters.ts'
import type { KnownColumn } from '#server/leads/lead-origins.ts'
import type { RejectionReasons } from '#server/measuring/rejection-reasons.ts'
import {
  type FilterFieldProps,
  type FilterFormProps,
  type FilterOption,
  findOptionLabel,
} from './filter-form.tsx'

export interface FieldParser<Value> {
  readonly parse: (text: string) => Value | undefined
  /** Makes the error message for an invalid text; by default, the message says that the text isn't a valid value. */
  readonly explain?: (text: string) => string
}

const explainInvalid = (text: string): string => `“${text}” isn’t a valid value.`

/** Parses the filter in a page's URL. A field has one value; an empty field does not filter. */
export function parsePageFilter<Values extends object>(
  parsers: { readonly [Name in keyof Values]: FieldParser<Values[Name]> },
  queries: Readonly<Record<string, string>>,
) {
  type Name = keyof Values & string
  const all: Readonly<Record<Name, FieldParser<unknown>>> = parsers
  const names = Object.keys(all) as Name[]
  const given = Object.fromEntries(
    names.map((name) => [name, (queries[name] ?? '').replaceAll('\0', '').trim()]),
  ) as Record<Name, string>
  const parsed: Partial<Record<Name, unknown>> = {}
  const faults: Partial<Record<Name, string>> = {}
  for (const name of names.filter((field) => given[field] !== '')) {
    // A cut value would select other rows than the operator wants.
    if (given[name].length > maxOriginLength) {
      faults[name] = `Use at most ${maxOriginLength} characters.`
      continue
    }
    parsed[name] = all[name].parse(given[name])
    const { explain = explainInvalid } = all[name]
    if (parsed[name] === undefined) faults[name] = explain(given[name])
  }
  return {
    given,
    values: parsed as Partial<Values>,
    faults,
    /** The name of an unknown field. The page refuses it, because a mistyped filter would show too much. */
    unknownName: Object.keys(queries).find(
      (name) => ![...names, ...tableParameters].some((known) => known === name),
    ),
    query: formatQueryString(given),
  }
}

export type FieldDefinition = Omit<FilterFieldProps, 'name' | 'value' | 'others' | 'problem'>

/** Makes the fields of a filter form, in the order of their definitions. */
export const makeFilterFields = <Name extends string>(
  definitions: Readonly<Record<Name, FieldDefinition>>,
  given: Readonly<Record<NoInfer<Name>, string>>,
  faults: Readonly<Partial<Record<NoInfer<Name>, string>>>,
): readonly FilterFieldProps[] =>
  (Object.keys(definitions) as Name[]).map((name) => ({
    name,
    value: given[name],
    problem: faults[name],
    ...definitions[name],
  }))

/** Makes a query string of the values that are not empty. */
export const formatQueryString = (values: Readonly<Record<string, string>>): string =>
  new URLSearchParams(Object.entries(values).filter(([, value]) => value !== '')).toString()

export function findFilterProblem(
  faults: Readonly<Partial<Record<string, string>>>,
  unknownName: string | undefined,
): Message | undefined {
  if (unknownName !== undefined) {
    const heading = `There is no filter “${unknownName.slice(0, 40)}”`
    return makeProblemMessage(heading, 'Correct the URL, or clear the filter.')
  }
  if (Object.keys(faults).length === 0) return undefined
  return makeFieldMessage(faults, 'The filter has an error. Nothing was listed')
}

export interface ProgramOption {
  readonly id: number
  readonly name: string
}

export function makeLeadFilterForm(
  { read, address }: LeadsRequest,
  programs: readonly ProgramOption[],
  known: KnownOrigins,
  { mayReveal, reasons }: { mayReveal: boolean; reasons: ReturnType<RejectionReasons> },
): FilterFormProps {
  const { faults } = read
  const errors = read.given.error.map(reasons.describeError)
  // A response without a reason in words can't be typed, so the form offers it as an option.
  const hasWords = errors.every((words) => words !== undefined)
  const given = hasWords ? { ...read.given, error: [...new Set(errors)] } : read.given
  const fields = makeFieldDefinitions(programs, known)
  fields.error = hasWords
    ? { ...fields.error, suggestions: reasons.errorWords }
    : makeErrorField(given.error, reasons)
  const offered = (name: LeadFilterField) =>
    mayReveal
      ? fields[name].options
      : fields[name].options?.filter(({ value }) => !isPersonalStatus(value))
  return {
    action: '/leads',
    fields: leadFilterFields.map((name) => {
      const [value = '', ...others] = given[name]
      return {
        name,
        ...fields[name],
        ...(hasTime(value) ? { type: undefined } : {}),
        options: addMissingOptions(offered(name), given[name]),
        value,
        others,
        problem: faults[name],
      }
    }),
    hidden: { search: address.searchId },
    isFiltered: address.query !== '' || address.searchId !== undefined,
  }
}

/** The values that the filters by affiliate, source and so on suggest. */
export type KnownOrigins = Readonly<Record<KnownColumn, readonly string[]>>

export const makeFieldDefinitions = (
  programs: readonly ProgramOption[],
  known?: KnownOrigins,
): Record<LeadFilterField, FieldDefinition> => ({
  status: {
    label: 'Status',
    options: leadStatuses.map((value) => ({ value, label: statusLabels[value] })),
  },
  area: { label: 'Area', options: areas.map(toOption) },
  program: {
    label: 'Program',
    options: programs.map(({ id, name }) => ({ value: String(id), label: name })),
  },
  affiliate: { label: 'Affiliate', suggestions: known?.affiliate },
  source: { label: 'Source', suggestions: known?.source },
  campaign: { label: 'Campaign', suggestions: known?.campaign },
  medium: { label: 'Medium', suggestions: known?.medium },
  content: { label: 'Content', suggestions: known?.content },
  state: { label: 'State', example: 'FL', suggestions: known?.state },
  from: { label: 'Received from', type: 'date' },
  to: { label: 'Received to', type: 'date' },
  signal: {
    label: 'Signal',
    options: abuseSignals.map((signal) => ({ value: signal, label: describeSignal(signal) })),
  },
  error: { label: 'Last error', example: '503' },
  restored: { label: 'Restored', options: [{ value: 'in-doubt', label: 'in doubt' }] },
  returned: { label: 'Returned', options: [toOption('yes')] },
  rejected: { label: 'Rejected', options: [{ value: 'any', label: 'for any reason' }] },
  held: { label: 'Held', options: [{ value: 'any', label: 'by any cap' }] },
})

const toOption = (value: string): FilterOption => ({ value, label: value })

/** Makes the field of the given errors. A response is named by the distributor's reason, if it has one in words. */
const makeErrorField = (
  given: readonly string[],
  reasons?: Pick<ReturnType<RejectionReasons>, 'describeError'>,
) => ({
  label: 'Last error',
  options: given.map((value): FilterOption => {
    const response = isErrorGroupId(value) ? describeErrorGroup(value) : value
    return { value, label: reasons?.describeError(value) ?? response }
  }),
})

/** Adds requested values that the options lack, such as a withdrawn program, so that they stay selected. */
const addMissingOptions = (options: FieldDefinition['options'], values: readonly string[]) =>
  options && [
    ...options,
    ...values.filter((value) => options.every((option) => option.value !== value)).map(toOption),
  ]

/** Whether the value has a time of day, which some links contain. A date field would lose the time. */
const hasTime = (value: string): boolean => /^\d{4}-\d\d-\d\dT/.test(value)

/** Describes each condition of a filter, as in `Status: failed or rejected`; empty for all leads. */
export function describeFilter(
  query: string,
  programs: readonly ProgramOption[],
): readonly string[] {
  const given = readFilterTexts(query)
  const fields = {
    ...makeFieldDefinitions(programs),
    error: makeErrorField(given.error),
  }
  return leadFilterFields
    .filter((name) => given[name].length > 0)
    .map((name) => {
      const values = given[name].map((value) => findOptionLabel(fields[name], value))
      return `${fields[name].label}: ${values.join(' or ')}`
    })
}

export interface LeadsQuery {
  /** The filter as a query string, made by `toFilterQuery`. */
  readonly query: string
  readonly searchId?: string | undefined
}

/** Formats the filter and the search as the query string of `/leads`. */
export const formatLeadsQuery = ({ query, searchId }: LeadsQuery): string =>
  [query, searchId && `search=${encodeURIComponent(searchId)}`].filter(Boolean).join('&')

export function makeLeadsUrl(address: LeadsQuery, after?: LeadCursor): string {
  const parts = [formatLeadsQuery(address), after && `after=${formatCursor(after)}`]
  const query = parts.filter(Boolean).join('&')
  return query === '' ? '/leads' : `/leads?${query}`
}

/** Formats a lead's place in a list as a cursor: the lead's time and reference, without personal data. */
export const formatCursor = ({ receivedAt, id }: LeadCursor): string => `${receivedAt}_${id}`

export function parseCursor(text: string): LeadCursor | undefined {
  const [, receivedAt, id] = /^(\d{1,15})_([\w-]{1,64})$/.exec(text) ?? []
  return id === undefined ? undefined : { receivedAt: Number(receivedAt), id }
}

const parameterNames: readonly string[] = [...leadFilterFields, 'search', 'after']

/** Replaces the words for errors that operators type by the values that the filter compares. */
export function replaceErrorWords(
  query: string,
  findErrors: (text: string) => readonly string[],
): string {
  const params = new URLSearchParams(query)
  const errors = params.getAll('error').flatMap(findErrors)
  params.delete('error')
  for (const error of errors) params.append('error', error)
  return params.toString()
}

/** Reads a query string of `/leads`, valid or not: from the page's URL, or from a form's hidden field. */
export function parseLeadsQuery(query: string, zone: string) {
  const params = new URLSearchParams(query)
  const read = parseLeadFilter((name) => params.getAll(name), zone)
  const address: LeadsQuery = {
    query: toFilterQuery(read.given),
    searchId: params.get('search') ?? undefined,
  }
  return {
    read,
    address,
    cursor: params.get('after') ?? undefined,
    /** The name of an unknown parameter. The console refuses it, because a mistyped filter would match too many leads. */
    unknownName: [...params.keys()].find((name) => !parameterNames.includes(name)),
  }
}

export type LeadsRequest = ReturnType<typeof parseLeadsQuery>

/** Whether the request's filter is valid. With an invalid filter, the console acts on no lead. */
export const hasValidFilter = ({ read, unknownName }: LeadsRequest): boolean =>
  unknownName === undefined && Object.keys(read.faults).length === 0

/**
 * Reads the filter from a form's hidden field, for an action on the matching leads.
 * @throws InvalidFilterError if the field is invalid or missing, because a missing filter would match every lead
 */
export function parsePostedFilter(
  { query, lacks }: ConsoleForm<'query'>,
  zone: string,
): LeadsRequest {
  const requested = parseLeadsQuery(query, zone)
  if (lacks('query') || !hasValidFilter(requested)) throw new InvalidFilterError()
  return requested
}
