import {
  type GivenFilterValues,
  type LeadFilter,
  leadFilterFields,
  parseLeadFilter,
  readGivenValues,
  toFilterQuery,
} from '#domain/lead/lead-filter.ts'
import { isPersonalStatus } from '#domain/lead/lead-status.ts'
import { maskAffiliateId, maskCampaign } from '#domain/lead/mask-lead.ts'

/** Reads the filter in a URL query, even if some of its values are invalid. @param zone the school's time zone */
export function parseFilterQuery(query: string, zone: string) {
  const params = new URLSearchParams(query)
  return parseLeadFilter((name) => params.getAll(name), zone)
}

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
  const { filter, faults } = parseFilterQuery(query, zone)
  const names: readonly string[] = leadFilterFields
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

/** True if the filter has a value that the list of leads masks. */
export function hasMaskedValue({ affiliate, source, campaign }: OriginFilter): boolean {
  const origin = { affiliate, source, campaign }
  return JSON.stringify(maskOriginFilter(origin)) !== JSON.stringify(origin)
}

/** Whether a filter needs the permission to search for a person, because it says something about a person. */
export const requiresPersonSearchPermission = (
  filter: OriginFilter & Readonly<Record<'status' | 'signal', readonly string[]>>,
): boolean =>
  hasMaskedValue(filter) ||
  filter.status.some(isPersonalStatus) ||
  filter.signal.includes('do-not-contact')

export function maskFilterQuery(query: string): string {
  const given = readFilterTexts(query)
  return hasMaskedValue(given) ? toFilterQuery({ ...given, ...maskOriginFilter(given) }) : query
}
