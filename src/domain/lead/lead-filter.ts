import { abuseSignals } from '#domain/abuse/signals.ts'
import { areas } from '#domain/area.ts'
import { makeInvalidDayMessage, parseRangeEnd, parseRangeStart } from '../calendar.ts'
import { countedRejectionCauses } from '../delivery/outcome.ts'
import { maxOriginLength } from './attribution.ts'
import { leadStatuses } from './lead-status.ts'

export const oneOf =
  <const Word extends string>(words: readonly Word[]) =>
  (text: string): Word | undefined =>
    words.find((word) => word === text)

export const keepText = (text: string): string | undefined => text

export const parseId = (text: string): number | undefined =>
  /^\d{1,9}$/.test(text) ? Number(text) : undefined

export const parseState = (text: string): string | undefined =>
  /^[a-z]{2}$/i.test(text) ? text.toUpperCase() : undefined

/** The fields of the filter in their order, each with the function that reads a value or refuses it with undefined. */
const fields = {
  status: oneOf(leadStatuses),
  area: oneOf(areas),
  program: parseId,
  /** Affiliate ids from the URLs of visited pages. */
  affiliate: keepText,
  /** The source and the campaign of the last touch: see `findSource` and `findCampaign`. */
  source: keepText,
  campaign: keepText,
  medium: keepText,
  content: keepText,
  state: parseState,
  from: parseRangeStart,
  to: parseRangeEnd,
  signal: oneOf(abuseSignals),
  /** Errors of a lead's last attempt, or the ids of error groups. */
  error: keepText,
  /** `in-doubt`: the lead was restored with an open delivery, so the distributor may already have the lead. */
  restored: oneOf(['in-doubt']),
  /** `yes`: a lead that the distributor accepted and took back later. */
  returned: oneOf(['yes']),
  /** `any`: the distributor's last answer was a rejection, even if the lead waits or failed after a retry. */
  rejected: oneOf(['any', ...countedRejectionCauses]),
  /** The ids of caps that hold leads, or `any` for any cap. */
  held: keepText,
}

export type LeadFilterField = keyof typeof fields

export const leadFilterFields = Object.keys(fields) as readonly LeadFilterField[]

type FilterValues = {
  readonly [Name in LeadFilterField]: readonly NonNullable<ReturnType<(typeof fields)[Name]>>[]
}

/** Selects leads. A lead matches if, in each field that is set, one of the values applies to the lead. */
export interface LeadFilter extends Omit<FilterValues, 'from' | 'to'> {
  /** Epoch milliseconds. Leads match if they were received at `since` or later, and before `until`. */
  readonly since: number | undefined
  readonly until: number | undefined
}

/** The maximum length of a value, because no stored value is longer; the values of links are the longest. */
const maxValueLength = 200
const maxLengthOf = (name: LeadFilterField): number =>
  ['source', 'campaign', 'medium', 'content'].includes(name) ? maxOriginLength : maxValueLength

/** The maximum number of values per field, because the database has to compare each value. */
const maxValues = 20
const maxTotalValues = 60

export const explainInvalidState = (text: string): string =>
  `Enter a state’s two letters, not “${text}”.`

function explainInvalidValue(name: LeadFilterField, text: string): string {
  if (name === 'from' || name === 'to') return makeInvalidDayMessage(text)
  return name === 'state' ? explainInvalidState(text) : `“${text}” isn’t a valid value.`
}

/** Reads the texts of a filter. @param valuesOf returns the values given under a name; empty values are ignored */
export const readGivenValues = (
  valuesOf: (name: LeadFilterField) => readonly string[],
): GivenFilterValues =>
  Object.fromEntries(
    leadFilterFields.map((name) => [
      name,
      // PostgreSQL cannot store U+0000 in a text.
      [...new Set(valuesOf(name).map((text) => text.replaceAll('\0', '').trim()))].filter(Boolean),
    ]),
  ) as unknown as GivenFilterValues

/**
 * Reads a filter. Don't use the filter if there are `faults`, which are error messages by field.
 * @param zone the time zone of days, and of times without an offset
 */
export function parseLeadFilter(
  valuesOf: (name: LeadFilterField) => readonly string[],
  zone: string,
) {
  const given = readGivenValues(valuesOf)
  const faults: Partial<Record<LeadFilterField, string>> = {}
  let totalValues = 0
  const parse = (name: LeadFilterField) => {
    const { length } = given[name]
    totalValues += length
    if (length > maxValues) {
      faults[name] = `Use at most ${maxValues} values in one filter: there are ${length}.`
    } else if (length > 0 && totalValues > maxTotalValues) {
      faults[name] = `Use at most ${maxTotalValues} values in all filters together.`
    }
    return given[name].flatMap((text) => {
      const value = text.length > maxLengthOf(name) ? undefined : fields[name](text, zone)
      if (value === undefined) {
        faults[name] ??= explainInvalidValue(name, text.slice(0, maxValueLength))
      }
      return value ?? []
    })
  }
  const { from, to, ...values } = Object.fromEntries(
    leadFilterFields.map((name) => [name, parse(name)]),
  ) as unknown as FilterValues
  const filter: LeadFilter = {
    ...values,
    since: from.length > 0 ? Math.min(...from) : undefined,
    until: to.length > 0 ? Math.max(...to) : undefined,
  }
  if (filter.since !== undefined && filter.until !== undefined && filter.since >= filter.until) {
    faults.to ??= 'The last day is before the first day, so no lead can match.'
  }
  return { filter, given, faults: faults as Readonly<typeof faults> }
}

/** The texts given for each field of the filter, in their order. */
export type GivenFilterValues = Readonly<Record<LeadFilterField, readonly string[]>>

/** Formats a filter as the query of a URL, without a question mark. Equal filters give equal queries. */
export const toFilterQuery = (given: GivenFilterValues): string =>
  leadFilterFields
    .flatMap((name) =>
      [...new Set(given[name])].sort().map((value) => `${name}=${encodeURIComponent(value)}`),
    )
    .join('&')

export const emptyFilter: LeadFilter = parseLeadFilter(() => [], 'UTC').filter

/** The URL of the list of restored leads that may have been delivered after the backup. */
export const inDoubtLeadsUrl = '/leads?restored=in-doubt'
