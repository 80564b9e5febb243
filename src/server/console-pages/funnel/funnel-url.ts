import type { FilterFieldProps } from '#console/leads/filter-form.tsx'
import { areas } from '#domain/area.ts'
import { makeInvalidDayMessage, parseRangeEnd, parseRangeStart } from '#domain/day-range.ts'
import {
  devices,
  type FunnelDimension,
  type FunnelFilter,
  type FunnelRange,
  type FunnelSplit,
  funnelDimensions,
  funnelSplits,
} from '#domain/measuring/funnel.ts'
import { keepDaysMs, toWeek } from '#server/measuring/funnel-rollup.ts'
import type { KnownProgram } from '../leads/filter-form.ts'

const weekMs = 7 * 24 * 3_600_000

/** Without a range in the address, the page shows this week and the three before it. */
const defaultWeeks = 4

const fieldNames = [...funnelDimensions, 'from', 'to'] as const
const filterNames = [...fieldNames, 'by'] as const
type FilterName = (typeof filterNames)[number]

export interface FunnelUrl {
  readonly filter: FunnelFilter
  readonly by: FunnelSplit
  readonly range: FunnelRange
  /** The weeks before, as many as in the range. */
  readonly before: FunnelRange
  /** Whether the range leaves out the week that has not ended. */
  readonly isCut: boolean
  readonly given: Readonly<Record<FilterName, string>>
  readonly faults: Readonly<Partial<Record<FilterName, string>>>
  readonly unknownName: string | undefined
  readonly query: string
}

/** Reads the funnel's filter from an address, valid or not. Empty fields don't filter. */
export function parseFunnelUrl(queries: Readonly<Record<string, string>>, now: number): FunnelUrl {
  const given = Object.fromEntries(
    filterNames.map((name) => [
      name,
      (queries[name] ?? '').replaceAll('\0', '').trim().slice(0, 200),
    ]),
  ) as Record<FilterName, string>
  const faults: Partial<Record<FilterName, string>> = {}
  const filter: { [Dimension in FunnelDimension]?: string | number } = {}
  for (const dimension of funnelDimensions) {
    if (given[dimension] === '') continue
    const value = readers[dimension](given[dimension])
    if (value === undefined) faults[dimension] = `“${given[dimension]}” isn’t valid here.`
    else filter[dimension] = value
  }
  const by = funnelSplits.find((split) => split === given.by)
  if (given.by !== '' && by === undefined) faults.by = `“${given.by}” isn’t valid here.`
  for (const name of ['from', 'to'] as const) {
    if (given[name] !== '' && parseRangeStart(given[name]) === undefined) {
      faults[name] = makeInvalidDayMessage(given[name])
    }
  }
  const { isCut, ...range } = toWeeks(parseRangeStart(given.from), parseRangeEnd(given.to), now)
  if (range.since >= range.until)
    faults.to ??= 'Choose a day on or after the first one, and before today.'
  const lengthMs = Math.ceil((range.until - range.since) / weekMs) * weekMs
  return {
    filter: filter as FunnelFilter,
    by: by ?? 'affiliate',
    range,
    isCut,
    before: { since: range.since - lengthMs, until: range.until - lengthMs },
    given,
    faults,
    // Ignoring a mistyped name would show other numbers than the operator asked for.
    unknownName: Object.keys(queries).find((name) => !filterNames.some((known) => known === name)),
    query: new URLSearchParams(
      Object.entries(given).filter(([, value]) => value !== ''),
    ).toString(),
  }
}

const oneOf = (values: readonly string[]) => (text: string) =>
  values.find((value) => value === text)
const anyText = (text: string): string => text

const readers: Readonly<Record<FunnelDimension, (text: string) => string | number | undefined>> = {
  area: oneOf(areas),
  source: anyText,
  campaign: anyText,
  affiliate: anyText,
  device: oneOf(devices),
  program: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
}

/**
 * Widens a range of days to whole weeks, up to now. Counts older than 13 weeks are kept by the week, so a range whose
 * previous period is that old ends with a whole week: otherwise it would be compared with more days than it has.
 */
function toWeeks(from: number | undefined, to: number | undefined, now: number) {
  const until = to === undefined ? now : Math.min(now, toWeek(to - 1) + weekMs)
  const since = from === undefined ? toWeek(until - 1) - (defaultWeeks - 1) * weekMs : toWeek(from)
  const isComparedWithWeeks = since - (until - since) < now - keepDaysMs
  const end = isComparedWithWeeks && toWeek(until) > since ? toWeek(until) : until
  return { since, until: end, isCut: end < until }
}

export function makeFunnelFields(
  { given, faults }: FunnelUrl,
  programs: readonly KnownProgram[],
): readonly FilterFieldProps[] {
  const fields: Readonly<
    Record<(typeof fieldNames)[number], Pick<FilterFieldProps, 'label' | 'options' | 'type'>>
  > = {
    area: { label: 'Area', options: toOptions(areas) },
    source: { label: 'Source' },
    campaign: { label: 'Campaign' },
    affiliate: { label: 'Affiliate' },
    device: {
      label: 'Device',
      options: devices.map((value) => ({
        value,
        label: value === 'none' ? 'without JavaScript' : value,
      })),
    },
    program: {
      label: 'Program',
      options: programs.map(({ id, name }) => ({ value: String(id), label: name })),
    },
    from: { label: 'From the week of', type: 'date' },
    to: { label: 'To the week of', type: 'date' },
  }
  return fieldNames.map((name) => ({
    name,
    ...fields[name],
    value: given[name],
    problem: faults[name],
  }))
}

const toOptions = (values: readonly string[]) => values.map((value) => ({ value, label: value }))
