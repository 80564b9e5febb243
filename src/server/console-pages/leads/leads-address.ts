import { createHash } from 'node:crypto'
import type { LeadPlace } from '#server/leads/find-leads.ts'

/** What `/leads` is asked for beside its filter. */
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
export const partsOf = (address: LeadsAddress): readonly (readonly [string, string])[] => [
  ...new URLSearchParams(leadsAddress(address).split('?')[1]),
]

/** A place in the list of one filter. It names no person: a time, and the lead's reference. */
const cursorOf = ({ receivedAt, id }: LeadPlace, address: LeadsAddress): string =>
  `${receivedAt}_${id}_${markOf(address)}`

/** Undefined where it is none, or of another list. */
export function readCursor(text: string, address: LeadsAddress): LeadPlace | undefined {
  const [, receivedAt, id, mark] = /^(\d{1,15})_([\w-]{1,64})_([\w-]+)$/.exec(text) ?? []
  if (id === undefined || mark !== markOf(address)) return undefined
  return { receivedAt: Number(receivedAt), id }
}

const markOf = ({ query, searchId = '' }: LeadsAddress): string =>
  createHash('sha256').update(`${query}\n${searchId}`).digest('base64url').slice(0, 8)
