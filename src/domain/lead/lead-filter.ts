import { type AbuseSignal, abuseSignals } from '#domain/abuse/signals.ts'
import { type Area, areas } from '#domain/area.ts'
import { makeInvalidDayMessage, parseRangeEnd, parseRangeStart } from '#domain/day-range.ts'
import { countedRejectionCauses } from '../delivery/outcome.ts'
import { maxOriginLength } from './attribution.ts'
import { type LeadStatus, leadStatuses } from './lead-status.ts'

/** `in-doubt`: the lead was restored with an open delivery, so the distributor may already have the lead. */
const restoredStates = ['in-doubt'] as const

type RestoredState = (typeof restoredStates)[number]

/** `yes`: a lead that the distributor accepted and took back later. */
const returnedStates = ['yes'] as const

type ReturnedState = (typeof returnedStates)[number]

/** `any`: the distributor's last answer was a rejection, even if the lead waits or failed after a retry. */
export const rejectedStates = ['any', ...countedRejectionCauses] as const

type RejectedState = (typeof rejectedStates)[number]

/** Selects leads. A lead matches if, in each field that is set, one of the values applies to the lead. */
export interface LeadFilter {
  readonly status: readonly LeadStatus[]
  readonly area: readonly Area[]
  readonly program: readonly number[]
  /** Affiliate ids from the URLs of visited pages. */
  readonly affiliate: readonly string[]
  /** The source and the campaign of the last touch: see `findSource` and `findCampaign`. */
  readonly source: readonly string[]
  readonly campaign: readonly string[]
  /** The states' two letters. */
  readonly state: readonly string[]
  readonly signal: readonly AbuseSignal[]
  /** Errors of a lead's last attempt, or the ids of error groups. */
  readonly error: readonly string[]
  readonly restored: readonly RestoredState[]
  readonly returned: readonly ReturnedState[]
  readonly rejected: readonly RejectedState[]
  /** The ids of caps that hold leads, or `any` for any cap. */
  readonly held: readonly string[]
  /** Epoch milliseconds. Leads match if they were received at `since` or later, and before `until`. */
  readonly since: number | undefined
  readonly until: number | undefined
}

export const leadFilterFields = [
  'status',
  'area',
  'program',
  'affiliate',
  'source',
  'campaign',
  'state',
  'from',
  'to',
  'signal',
  'error',
  'restored',
  'returned',
  'rejected',
  'held',
] as const

export type LeadFilterField = (typeof leadFilterFields)[number]

/** The texts given for each field of the filter, in their order. */
export type GivenFilterValues = Readonly<Record<LeadFilterField, readonly string[]>>

export interface ParsedFilter {
  readonly filter: LeadFilter
  readonly given: GivenFilterValues
  /** Error messages by field. Don't use a filter that has an error. */
  readonly faults: Readonly<Partial<Record<LeadFilterField, string>>>
}

/** The maximum length of a value, because no stored value is longer; sources and campaigns are the longest values. */
const maxValueLength = 200
const maxLengthOf = (name: LeadFilterField): number =>
  name === 'source' || name === 'campaign' ? maxOriginLength : maxValueLength

/** The maximum number of values per field, because the database has to compare each value. */
const maxValues = 20
const maxTotalValues = 60

/** @param valuesOf returns the values given under a name; empty values are ignored */
export function parseLeadFilter(
  valuesOf: (name: LeadFilterField) => readonly string[],
): ParsedFilter {
  const given = Object.fromEntries(
    leadFilterFields.map((name) => [
      name,
      [...new Set(valuesOf(name).map(sanitizeText).filter(isNotEmpty))],
    ]),
  ) as unknown as GivenFilterValues
  const faults: Partial<Record<LeadFilterField, string>> = {}
  const check = <Value>(
    name: LeadFilterField,
    read: (text: string) => Value | undefined,
    fault = (text: string) => `“${text}” isn’t a valid value.`,
  ): Value[] =>
    given[name].flatMap((text) => {
      const value = text.length > maxLengthOf(name) ? undefined : read(text)
      if (value === undefined) faults[name] ??= fault(text.slice(0, maxValueLength))
      return value === undefined ? [] : [value]
    })
  let totalValues = 0
  for (const name of leadFilterFields) {
    const { length } = given[name]
    totalValues += length
    if (length > maxValues) {
      faults[name] = `Use at most ${maxValues} values in one filter: there are ${length}.`
    } else if (length > 0 && totalValues > maxTotalValues) {
      faults[name] ??= `Use at most ${maxTotalValues} values in all filters together.`
    }
  }
  const since = check('from', parseRangeStart, makeInvalidDayMessage)
  const until = check('to', parseRangeEnd, makeInvalidDayMessage)
  const filter: LeadFilter = {
    status: check('status', oneOf<LeadStatus>(leadStatuses)),
    area: check('area', oneOf<Area>(areas)),
    program: check('program', parseId),
    affiliate: check('affiliate', identity),
    source: check('source', identity),
    campaign: check('campaign', identity),
    state: check('state', parseState, (text) => `Enter a state’s two letters, not “${text}”.`),
    signal: check('signal', oneOf<AbuseSignal>(abuseSignals)),
    error: check('error', identity),
    restored: check('restored', oneOf<RestoredState>(restoredStates)),
    returned: check('returned', oneOf<ReturnedState>(returnedStates)),
    rejected: check('rejected', oneOf<RejectedState>(rejectedStates)),
    held: check('held', identity),
    since: since.length > 0 ? Math.min(...since) : undefined,
    until: until.length > 0 ? Math.max(...until) : undefined,
  }
  if (filter.since !== undefined && filter.until !== undefined && filter.since >= filter.until) {
    faults.to ??= 'The last day is before the first day, so no lead can match.'
  }
  return { filter, given, faults }
}

/** Formats a filter as the query of a URL, without a question mark. Equal filters give equal queries. */
export const toFilterQuery = (given: GivenFilterValues): string =>
  leadFilterFields
    .flatMap((name) =>
      [...new Set(given[name])].sort().map((value) => `${name}=${encodeURIComponent(value)}`),
    )
    .join('&')

/** Removes U+0000, which PostgreSQL cannot store in a text. */
const sanitizeText = (text: string): string => text.replaceAll('\0', '').trim()
const isNotEmpty = (text: string): boolean => text !== ''
const identity = (text: string): string => text

const oneOf =
  <Word extends string>(words: readonly Word[]) =>
  (text: string): Word | undefined =>
    words.find((word) => word === text)

const parseId = (text: string): number | undefined =>
  /^\d{1,9}$/.test(text) ? Number(text) : undefined

const parseState = (text: string): string | undefined =>
  /^[a-z]{2}$/i.test(text) ? text.toUpperCase() : undefined

/** The filter that matches every lead. */
export const emptyFilter: LeadFilter = parseLeadFilter(() => []).filter

/** The URL of the list of restored leads that may have been delivered after the backup. */
export const inDoubtLeadsUrl = '/leads?restored=in-doubt'
