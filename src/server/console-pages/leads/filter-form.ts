import {
  type FilterFieldProps,
  type FilterFormProps,
  type FilterOption,
  findOptionLabel,
} from '#console/leads/filter-form.tsx'
import { describeSignal, signals } from '#domain/abuse/signals.ts'
import { areas } from '#domain/area.ts'
import { describeGroup, isErrorGroup } from '#domain/delivery/error-group.ts'
import { type FilterName, filterNames } from '#domain/lead/lead-filter.ts'
import { leadStatuses, statusLabels } from '#domain/lead/lead-status.ts'
import { escapeInvisible } from '#domain/text/escape-invisible.ts'
import { parseSavedFilter } from '#server/leads/lead-filters.ts'
import type { RequestedLeads } from './leads-address.ts'

export interface KnownProgram {
  readonly id: number
  readonly name: string
}

type Field = Pick<FilterFieldProps, 'label' | 'options' | 'type' | 'example'>

/** Makes the fields of the lead filter, with the requested values. */
export function filterForm(
  { read, address }: RequestedLeads,
  programs: readonly KnownProgram[],
  mayReveal: boolean,
): FilterFormProps {
  const { given, faults } = read
  const fields = fieldsFor(programs)
  const offered = (name: FilterName) =>
    name === 'status' && !mayReveal
      ? fields.status.options?.filter(({ value }) => value !== 'duplicate')
      : fields[name].options
  return {
    action: '/leads',
    fields: filterNames.map((name) => {
      const [value = '', ...others] = given[name]
      return {
        name,
        ...fields[name],
        ...(isExact(value) ? { type: undefined } : {}),
        options: withValues(offered(name), given[name]),
        value,
        others,
        problem: faults[name],
      }
    }),
    searchId: address.searchId || undefined,
    isFiltered: address.query !== '' || address.searchId !== undefined,
  }
}

export const fieldsFor = (
  programs: readonly KnownProgram[],
): Readonly<Record<FilterName, Field>> => ({
  status: {
    label: 'Status',
    options: leadStatuses.map((value) => ({ value, label: statusLabels[value] })),
  },
  area: { label: 'Area', options: areas.map(optionOf) },
  program: {
    label: 'Program',
    options: programs.map(({ id, name }) => ({ value: String(id), label: name })),
  },
  affiliate: { label: 'Affiliate' },
  state: { label: 'State', example: 'FL' },
  from: { label: 'Received from', type: 'date' },
  to: { label: 'Received to', type: 'date' },
  signal: {
    label: 'Signal',
    options: signals.map((signal) => ({ value: signal, label: describeSignal(signal) })),
  },
  error: { label: 'Last error', example: '503' },
  restored: { label: 'Restored', options: [{ value: 'in-doubt', label: 'in doubt' }] },
})

const optionOf = (value: string): FilterOption => ({ value, label: value })

const errorOption = (value: string): FilterOption => ({
  value,
  label: isErrorGroup(value) ? describeGroup(value) : value,
})

/**
 * Adds requested values that the options lack, such as a program that is no longer offered, so that they stay selected.
 */
const withValues = (options: Field['options'], values: readonly string[]) =>
  options && [
    ...options,
    ...values.filter((value) => options.every((option) => option.value !== value)).map(optionOf),
  ]

/** Whether the value has a time of day, as in some links. A date field can't show a time of day, and would lose it. */
const isExact = (value: string): boolean => /^\d{4}-\d\d-\d\dT/.test(value)

/** Describes each condition of a filter, as in `Status: dead or rejected`; empty for all leads. */
export function describeFilter(
  query: string,
  programs: readonly KnownProgram[],
): readonly string[] {
  const { given } = parseSavedFilter(query)
  const fields = {
    ...fieldsFor(programs),
    error: { label: 'Last error', options: given.error.map(errorOption) },
  }
  return filterNames
    .filter((name) => given[name].length > 0)
    .map((name) => {
      const values = given[name].map((value) =>
        escapeInvisible(findOptionLabel(fields[name], value)),
      )
      return `${fields[name].label}: ${values.join(' or ')}`
    })
}
