import type { ConsoleForm } from '#console/requests/read-form.ts'
import { leadFilterFields, parseLeadFilter, toFilterQuery } from '#domain/lead/lead-filter.ts'
import type { LeadCursor } from '#server/leads/find-leads.ts'
import { InvalidFilterError } from '#server/leads/lead-filters.ts'

export interface LeadsQuery {
  /** The filter as a query string, made by `toFilterQuery`. */
  readonly query: string
  readonly searchId?: string | undefined
}

/** Formats the filter and the search as the query string of `/leads`. */
export const formatLeadsQuery = ({ query, searchId }: LeadsQuery): string =>
  [query, searchId && `search=${encodeURIComponent(searchId)}`].filter(Boolean).join('&')

export function makeLeadsUrl(address: LeadsQuery, after?: LeadCursor): string {
  const parts = [formatLeadsQuery(address), after && `after=${formatCursor(after)}`]
  const query = parts.filter(Boolean).join('&')
  return query === '' ? '/leads' : `/leads?${query}`
}

/** Formats a lead's place in a list as a cursor: the lead's time and reference, without personal data. */
export const formatCursor = ({ receivedAt, id }: LeadCursor): string => `${receivedAt}_${id}`

export function parseCursor(text: string): LeadCursor | undefined {
  const [, receivedAt, id] = /^(\d{1,15})_([\w-]{1,64})$/.exec(text) ?? []
  return id === undefined ? undefined : { receivedAt: Number(receivedAt), id }
}

const parameterNames: readonly string[] = [...leadFilterFields, 'search', 'after']

/** Reads a query string of `/leads`, valid or not: from the page's URL, or from a form's hidden field. */
export function parseLeadsQuery(query: string) {
  const params = new URLSearchParams(query)
  const read = parseLeadFilter((name) => params.getAll(name))
  const address: LeadsQuery = {
    query: toFilterQuery(read.given),
    searchId: params.get('search') ?? undefined,
  }
  return {
    read,
    address,
    cursor: params.get('after') ?? undefined,
    /** The name of an unknown parameter. The console refuses it, because a mistyped filter would match too many leads. */
    unknownName: [...params.keys()].find((name) => !parameterNames.includes(name)),
  }
}

export type LeadsRequest = ReturnType<typeof parseLeadsQuery>

/** Whether the request's filter is valid. With an invalid filter, the console acts on no lead. */
export const hasValidFilter = ({ read, unknownName }: LeadsRequest): boolean =>
  unknownName === undefined && Object.keys(read.faults).length === 0

/**
 * Reads the filter from a form's hidden field, for an action on the matching leads.
 * @throws InvalidFilterError if the field is invalid or missing, because a missing filter would match every lead
 */
export function parsePostedFilter({ query, lacks }: ConsoleForm<'query'>): LeadsRequest {
  const requested = parseLeadsQuery(query)
  if (lacks('query') || !hasValidFilter(requested)) throw new InvalidFilterError()
  return requested
}
