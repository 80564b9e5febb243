import {
  filterNames,
  type GivenFilterValues,
  type LeadFilter,
  type ParsedFilter,
  parseLeadFilter,
  toFilterQuery,
} from '#domain/lead/lead-filter.ts'
import { maskAffiliateId, maskCampaign } from '#domain/lead/mask-lead.ts'

/** Reads the filter in a URL query, valid or not. */
export function parseFilterQuery(query: string): ParsedFilter {
  const params = new URLSearchParams(query)
  return parseLeadFilter((name) => params.getAll(name))
}

/** The filter has a value that is invalid or unknown to this version. Nothing was done. */
export class InvalidFilterError extends Error {
  override readonly name = 'InvalidFilterError'
  override readonly message = 'the filter has an invalid or unknown part'
}

/**
 * Reads the filter of an action. An action must not ignore an unknown part, such as a filter of a later version, because
 * it would then affect more leads.
 * @throws InvalidFilterError
 */
export function parseValidFilter(query: string): LeadFilter {
  const { filter, faults } = parseFilterQuery(query)
  const names: readonly string[] = filterNames
  const isKnown = [...new URLSearchParams(query).keys()].every((name) => names.includes(name))
  if (!isKnown || Object.keys(faults).length > 0) throw new InvalidFilterError()
  return filter
}

type OriginFilter = Pick<GivenFilterValues, 'affiliate' | 'source' | 'campaign'>

/** Masks values that look like an email address or a phone number, as the list of leads does. */
const maskOriginFilter = ({ affiliate, source, campaign }: OriginFilter): OriginFilter => ({
  affiliate: affiliate.map(maskAffiliateId),
  source: source.map(maskCampaign),
  campaign: campaign.map(maskCampaign),
})

/** True if the filter has a value that the list masks. */
export function hasMaskedValue({ affiliate, source, campaign }: OriginFilter): boolean {
  const origin = { affiliate, source, campaign }
  return JSON.stringify(maskOriginFilter(origin)) !== JSON.stringify(origin)
}

/**
 * Whether a filter requires the permission to search for a person: listed duplicates confirm that a person has another
 * lead.
 */
export const requiresPersonSearchPermission = (
  filter: OriginFilter & Pick<LeadFilter, 'status'>,
): boolean => hasMaskedValue(filter) || filter.status.includes('duplicate')

export function maskFilterQuery(query: string): string {
  const { given } = parseFilterQuery(query)
  return hasMaskedValue(given) ? toFilterQuery({ ...given, ...maskOriginFilter(given) }) : query
}
