import { filterNames, filterQuery, readLeadFilter } from '#domain/lead/lead-filter.ts'
import type { LeadPlace } from '#server/leads/find-leads.ts'
import { InvalidFilterError } from '#server/leads/lead-filters.ts'
import type { ConsoleContext } from '../console-env.ts'
import type { PostedForm } from '../read-form.ts'

export interface LeadsAddress {
  /** The filter as a query string, made by `filterQuery`. */
  readonly query: string
  readonly searchId?: string | undefined
}

export function leadsAddress({ query, searchId }: LeadsAddress, after?: LeadPlace): string {
  const parts = [
    query,
    searchId === undefined ? '' : `search=${encodeURIComponent(searchId)}`,
    after === undefined ? '' : `after=${formatPlace(after)}`,
  ].filter((part) => part !== '')
  return parts.length === 0 ? '/leads' : `/leads?${parts.join('&')}`
}

/** Returns the query parameters of `/leads` as hidden fields for a form. */
export const hiddenFields = (address: LeadsAddress): readonly (readonly [string, string])[] => [
  ...new URLSearchParams(leadsAddress(address).split('?')[1]),
]

/** Formats a lead's place in a list as a cursor: the lead's time and reference, without personal data. */
export const formatPlace = ({ receivedAt, id }: LeadPlace): string => `${receivedAt}_${id}`

export function parsePlace(text: string): LeadPlace | undefined {
  const [, receivedAt, id] = /^(\d{1,15})_([\w-]{1,64})$/.exec(text) ?? []
  return id === undefined ? undefined : { receivedAt: Number(receivedAt), id }
}

type ValuesOf = (name: string) => readonly string[]

const known: readonly string[] = [...filterNames, 'search', 'after']

/** Reads the query parameters of `/leads`, valid or not. */
function readAddress(valuesOf: ValuesOf, names: Iterable<string>) {
  const read = readLeadFilter(valuesOf)
  const address: LeadsAddress = {
    query: filterQuery(read.given),
    searchId: valuesOf('search')[0],
  }
  return {
    read,
    address,
    cursor: valuesOf('after')[0],
    /** An unknown query parameter. Ignoring it would match more leads than the operator asked for. */
    unknownName: [...names].find((name) => !known.includes(name)),
  }
}

export type RequestedLeads = ReturnType<typeof readAddress>

/** Whether the request's filter is valid. An invalid filter never leads to an action. */
export const hasValidFilter = ({ read, unknownName }: RequestedLeads): boolean =>
  unknownName === undefined && Object.keys(read.faults).length === 0

export const readLeadsUrl = (c: ConsoleContext): RequestedLeads =>
  readAddress((name) => c.req.queries(name) ?? [], Object.keys(c.req.queries()))

/**
 * Reads the filter from a form's hidden field, for an action on the matching leads.
 * @throws InvalidFilterError if the field is missing, which would mean every lead, or invalid
 */
export function readFilterIn({ query, lacks }: PostedForm<'query'>): RequestedLeads {
  const requested = readAddressIn(query)
  if (lacks('query') || !hasValidFilter(requested)) throw new InvalidFilterError()
  return requested
}

/** Reads the query parameters of `/leads` from a form's hidden field. */
export function readAddressIn(query: string): RequestedLeads {
  const params = new URLSearchParams(query)
  return readAddress((name) => params.getAll(name), params.keys())
}
