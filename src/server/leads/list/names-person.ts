import type { LeadFilter } from '#domain/lead/lead-filter.ts'
import { maskAffiliate } from '#domain/lead/mask/mask-lead.ts'
import { filterQuery } from '#domain/lead/read-lead-filter.ts'
import { filterIn } from './filter-in.ts'

/** Some affiliates put a person's email or phone number into their id: such a filter confirms what the list masks. */
export const namesPerson = ({ affiliate }: Pick<LeadFilter, 'affiliate'>): boolean =>
  affiliate.some((id) => maskAffiliate(id) !== id)

/** A filter as in an address, without what names a person. */
export function maskQuery(query: string): string {
  const { given } = filterIn(query)
  return namesPerson(given)
    ? filterQuery({ ...given, affiliate: given.affiliate.map(maskAffiliate) })
    : query
}
