import { createHash } from 'node:crypto'
import { filterNames, filterQuery, readLeadFilter } from '#domain/lead/lead-filter.ts'
import type { LeadPlace } from '#server/leads/find-leads.ts'
import type { ConsoleContext } from '../console-env.ts'

/** The parameters of `/leads` beside its filter. */
export interface LeadsAddress {
  /** The filter's part, as `filterQuery` writes it. */
  readonly query: string
  readonly searchId?: string | undefined
}

export function leadsAddress({ query, searchId }: LeadsAddress, after?: LeadPlace): string {
  const parts = [
    query,
    searchId === undefined ? '' : `search=${encodeURIComponent(searchId)}`,
    after === undefined ? '' : `after=${cursorOf(after, { query, searchId })}`,
  ].filter((part) => part !== '')
  return parts.length === 0 ? '/leads' : `/leads?${parts.join('&')}`
}

/** The same as a form's hidden fields. */
export const hiddenFields = (address: LeadsAddress): readonly (readonly [string, string])[] => [
  ...new URLSearchParams(leadsAddress(address).split('?')[1]),
]

/** A place in the list of one filter. It names no person: a time, and the lead's reference. */
const cursorOf = ({ receivedAt, id }: LeadPlace, address: LeadsAddress): string =>
  `${receivedAt}_${id}_${markOf(address)}`

/** Undefined for a malformed place, or one of another list. */
export function readCursor(text: string, address: LeadsAddress): LeadPlace | undefined {
  const [, receivedAt, id, mark] = /^(\d{1,15})_([\w-]{1,64})_([\w-]+)$/.exec(text) ?? []
  if (id === undefined || mark !== markOf(address)) return undefined
  return { receivedAt: Number(receivedAt), id }
}

const markOf = ({ query, searchId = '' }: LeadsAddress): string =>
  createHash('sha256').update(`${query}\n${searchId}`).digest('base64url').slice(0, 8)

type ValuesOf = (name: string) => readonly string[]

const known: readonly string[] = [...filterNames, 'search', 'after']

/** The address's parameters, valid or not. */
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
    /** Mistyped, or a filter of another version: left out, it would mean more leads than were asked for. */
    unknownName: [...names].find((name) => !known.includes(name)),
  }
}

export type RequestedLeads = ReturnType<typeof readAddress>

/** An invalid filter never leads to an action. */
export const isValidRequest = ({ read, unknownName }: RequestedLeads): boolean =>
  unknownName === undefined && Object.keys(read.faults).length === 0

/** The error for a requested page. */
export const readAddressOf = (c: ConsoleContext): RequestedLeads =>
  readAddress((name) => c.req.queries(name) ?? [], Object.keys(c.req.queries()))

/** The same of the part of an address that a form repeats. */
export function readAddressIn(query: string): RequestedLeads {
  const params = new URLSearchParams(query)
  return readAddress((name) => params.getAll(name), params.keys())
}
