import {
  type GivenFilterValues,
  type LeadFilter,
  leadFilterFields,
  parseLeadFilter,
  readGivenValues,
  toFilterQuery,
} from '#domain/lead/lead-filter.ts'
import { isPersonalStatus } from '#domain/lead/lead-status.ts'
import { maskOrigin, type OriginColumn, originNames } from './lead-origins.ts'

/** Reads the texts of the filter in a URL query. */
export function readFilterTexts(query: string): GivenFilterValues {
  const params = new URLSearchParams(query)
  return readGivenValues((name) => params.getAll(name))
}

/** Thrown before an action starts if its filter has a part that is invalid or unknown to this version. */
export class InvalidFilterError extends Error {
  override readonly name = 'InvalidFilterError'
  override readonly message = 'the filter has an invalid or unknown part'
}

/**
 * Reads the filter of an action. If an action ignored an unknown part, such as a field of a later version, the action
 * would affect more leads than the operator wants.
 * @param zone the school's time zone
 * @throws InvalidFilterError
 */
export function parseValidFilter(query: string, zone: string): LeadFilter {
  const params = new URLSearchParams(query)
  const { filter, faults } = parseLeadFilter((name) => params.getAll(name), zone)
  const names: readonly string[] = leadFilterFields
  const isKnown = [...params.keys()].every((name) => names.includes(name))
  if (!isKnown || Object.keys(faults).length > 0) throw new InvalidFilterError()
  return filter
}

/** The values of links that a filter selects. */
type OriginFilter = Readonly<Partial<Record<OriginColumn, string | readonly string[]>>>

/** True if the filter has a value that the list of leads masks. */
export const hasMaskedValue = (filter: OriginFilter): boolean =>
  originNames.some((name) =>
    [filter[name] ?? []].flat().some((value) => maskOrigin(name, value) !== value),
  )

/** Whether a filter needs the permission to search for a person, because it says something about a person. */
export const requiresPersonSearchPermission = (
  filter: OriginFilter & Readonly<Record<'status' | 'signal', readonly string[]>>,
): boolean =>
  hasMaskedValue(filter) ||
  filter.status.some(isPersonalStatus) ||
  filter.signal.includes('do-not-contact')

export function maskFilterQuery(query: string): string {
  const given = readFilterTexts(query)
  const masked = originNames.map((name) => [
    name,
    given[name].map((value) => maskOrigin(name, value)),
  ])
  return hasMaskedValue(given) ? toFilterQuery({ ...given, ...Object.fromEntries(masked) }) : query
}
