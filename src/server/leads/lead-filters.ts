import {
  filterNames,
  filterQuery,
  type LeadFilter,
  type ReadFilter,
  readLeadFilter,
} from '#domain/lead/lead-filter.ts'
import { maskAffiliate } from '#domain/lead/mask-lead.ts'

/** Reads the query part of an address, valid or not. */
export function parseSavedFilter(query: string): ReadFilter {
  const params = new URLSearchParams(query)
  return readLeadFilter((name) => params.getAll(name))
}

/** The filter has a value that is invalid or unknown to this version. Nothing was done. */
export class InvalidFilterError extends Error {
  override readonly name = 'InvalidFilterError'
}

/**
 * For what is done by a filter, not only shown: a part that is left out, as one of a later version's, would mean more leads.
 * @throws InvalidFilterError
 */
export function parseKnownFilter(query: string): LeadFilter {
  const { filter, faults } = parseSavedFilter(query)
  const names: readonly string[] = filterNames
  const isKnown = [...new URLSearchParams(query).keys()].every((name) => names.includes(name))
  if (!isKnown || Object.keys(faults).length > 0) {
    throw new InvalidFilterError('a part of the lead filter is not valid')
  }
  return filter
}

/** Some affiliates put a person's email or phone number into their id: such a filter confirms what the list masks. */
export const namesPerson = ({ affiliate }: Pick<LeadFilter, 'affiliate'>): boolean =>
  affiliate.some((id) => maskAffiliate(id) !== id)

/** Whether a filter takes the right to search for a person: duplicates confirm that somebody else's lead exists. */
export const requiresSearchRight = (filter: Pick<LeadFilter, 'affiliate' | 'status'>): boolean =>
  namesPerson(filter) || filter.status.includes('duplicate')

/** A filter as in an address, without what names a person. */
export function maskQuery(query: string): string {
  const { given } = parseSavedFilter(query)
  return namesPerson(given)
    ? filterQuery({ ...given, affiliate: given.affiliate.map(maskAffiliate) })
    : query
}
