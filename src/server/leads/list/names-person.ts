import type { LeadFilter } from '#domain/lead/lead-filter.ts'
import { maskAffiliate } from '#domain/lead/mask-lead.ts'
import { filterQuery } from '#domain/lead/read-lead-filter.ts'
import { filterIn } from './filter-in.ts'

/** Some affiliates put a person's email or phone number into their id: such a filter confirms what the list masks. */
export const namesPerson = ({ affiliate }: Pick<LeadFilter, 'affiliate'>): boolean =>
  affiliate.some((id) => maskAffiliate(id) !== id)

/** Whether a filter takes the right to search for a person: duplicates confirm that somebody else's lead exists. */
export const needsSearchRight = (filter: Pick<LeadFilter, 'affiliate' | 'status'>): boolean =>
  namesPerson(filter) || filter.status.includes('duplicate')

/** A filter as in an address, without what names a person. */
export function maskQuery(query: string): string {
  const { given } = filterIn(query)
  return namesPerson(given)
    ? filterQuery({ ...given, affiliate: given.affiliate.map(maskAffiliate) })
    : query
}
