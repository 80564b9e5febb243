import { abuseSignals, describeSignal } from '#domain/abuse/signals.ts'
import { areas } from '#domain/area.ts'
import { describeErrorGroup, isErrorGroupId } from '#domain/delivery/error-group.ts'
import { type LeadFilterField, leadFilterFields } from '#domain/lead/lead-filter.ts'
import { leadStatuses, statusLabels } from '#domain/lead/lead-status.ts'
import { parseFilterQuery } from '#server/leads/lead-filters.ts'
import type { OriginColumn } from '#server/leads/lead-origins.ts'
import { type FilterFormProps, type FilterOption, findOptionLabel } from './filter-form.tsx'
import type { LeadsRequest } from './leads-url.ts'
import type { FieldDefinition } from './read-filter.ts'

export interface ProgramOption {
  readonly id: number
  readonly name: string
}

export function makeLeadFilterForm(
  { read, address }: LeadsRequest,
  programs: readonly ProgramOption[],
  known: KnownOrigins,
  mayReveal: boolean,
): FilterFormProps {
  const { given, faults } = read
  const fields = makeFieldDefinitions(programs, known)
  const offered = (name: LeadFilterField) =>
    name === 'status' && !mayReveal
      ? fields.status.options?.filter(({ value }) => value !== 'duplicate')
      : fields[name].options
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
    searchId: address.searchId || undefined,
    isFiltered: address.query !== '' || address.searchId !== undefined,
  }
}

/** The values that the filters by affiliate, source and campaign suggest. */
export type KnownOrigins = Readonly<Record<OriginColumn, readonly string[]>>

export const makeFieldDefinitions = (
  programs: readonly ProgramOption[],
  known?: KnownOrigins,
): Readonly<Record<LeadFilterField, FieldDefinition>> => ({
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
  state: { label: 'State', example: 'FL' },
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

const toErrorOption = (value: string): FilterOption => ({
  value,
  label: isErrorGroupId(value) ? describeErrorGroup(value) : value,
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
  const { given } = parseFilterQuery(query)
  const fields = {
    ...makeFieldDefinitions(programs),
    error: { label: 'Last error', options: given.error.map(toErrorOption) },
  }
  return leadFilterFields
    .filter((name) => given[name].length > 0)
    .map((name) => {
      const values = given[name].map((value) => findOptionLabel(fields[name], value))
      return `${fields[name].label}: ${values.join(' or ')}`
    })
}
