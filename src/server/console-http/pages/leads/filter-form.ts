import type {
  FilterFieldProps,
  FilterFormProps,
  FilterOption,
} from '#console/leads/filter-form.tsx'
import { signals } from '#domain/abuse/signal.ts'
import { signalInWords } from '#domain/abuse/signal-in-words.ts'
import { areas } from '#domain/area.ts'
import { leadStatuses } from '#domain/lead/lead-status.ts'
import {
  type FilterName,
  filterNames,
  filterQuery,
  type GivenFilter,
} from '#domain/lead/read-lead-filter.ts'
import { leadsAddress } from './leads-address.ts'
import type { AskedForLeads } from './read-address.ts'

export interface KnownProgram {
  readonly id: number
  readonly name: string
}

type Field = Pick<FilterFieldProps, 'label' | 'options' | 'type' | 'example'>

/** The filter's fields, as they were filled in or as the address has them. */
export function filterForm(
  { read, address }: AskedForLeads,
  programs: readonly KnownProgram[],
): FilterFormProps {
  const { given, faults } = read
  const fields = fieldsFor(programs)
  const more = filterNames.flatMap((name) =>
    given[name].slice(1).map((value) => ({
      name,
      value,
      label: labelOf(fields[name], value),
      without: leadsAddress({ ...address, query: filterQuery(leaveOut(given, name, value)) }),
    })),
  )
  return {
    fields: filterNames.map((name) => {
      const value = given[name][0] ?? ''
      return {
        name,
        ...fields[name],
        ...(isExact(value) ? { type: undefined } : {}),
        options: withValue(fields[name].options, value),
        value,
        problem: faults[name],
      }
    }),
    more,
    searchId: address.searchId || undefined,
    isFiltered: address.query !== '' || address.searchId !== undefined,
  }
}

export const fieldsFor = (
  programs: readonly KnownProgram[],
): Readonly<Record<FilterName, Field>> => ({
  status: { label: 'Status', options: leadStatuses.map(asItIs) },
  area: { label: 'Area', options: areas.map(asItIs) },
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
    options: signals.map((signal) => ({ value: signal, label: signalInWords[signal] })),
  },
  error: { label: 'Last error', example: '503' },
})

const asItIs = (value: string): FilterOption => ({ value, label: value })

export const labelOf = ({ options = [] }: Field, value: string): string =>
  options.find((option) => option.value === value)?.label ?? value

/** What the address has and the list has not, such as a program that is not offered any more, is still what is asked for. */
const withValue = (options: Field['options'], value: string) =>
  options === undefined || value === '' || options.some((option) => option.value === value)
    ? options
    : [...options, asItIs(value)]

const leaveOut = (given: GivenFilter, name: FilterName, value: string): GivenFilter => ({
  ...given,
  [name]: given[name].filter((other) => other !== value),
})

/** A time of day, as a link may have it: a date's field would not show it, and lose it. */
const isExact = (value: string): boolean => /^\d{4}-\d\d-\d\dT/.test(value)
