import { isLeadId } from './lead.ts'
import { parseReference } from './reference.ts'

/** What an operator can search for. A last name belongs to many people, and two people may share the other terms. */
export const searchTermNames = {
  reference: 'reference',
  email: 'email address',
  phone: 'phone number',
  name: 'last name',
} as const

export type SearchTerm = keyof typeof searchTermNames

export const isSearchTerm = (text: string): text is SearchTerm =>
  Object.hasOwn(searchTermNames, text)

/** Why a text cannot be searched for. `part of …` would find nothing, because the store keeps hashes of whole values. */
export type SearchFault =
  | 'empty'
  | 'too long'
  | 'part of an email address'
  | 'part of a phone number'
  | 'part of a reference'

/** The longest search text: an email address has at most 254 characters (RFC 5321), and each word adds a key. */
const maxSearchLength = 254
const maxWords = 10

/** Finds out what a search text is, or why it cannot be searched for. */
export function classifySearch(
  text: string,
): { readonly term: SearchTerm } | { readonly fault: SearchFault } {
  const typed = text.trim()
  if (typed === '') return { fault: 'empty' }
  if (typed.length > maxSearchLength) return { fault: 'too long' }
  if (isLeadId(typed.toLowerCase()) || parseReference(typed) !== undefined) {
    return { term: 'reference' }
  }
  if (typed.includes('@')) {
    const [local, domain] = [typed.slice(0, typed.lastIndexOf('@')), typed.split('@').at(-1) ?? '']
    const isWhole = local !== '' && /[^.]\.[^.]/.test(domain) && !/\s/.test(typed)
    return isWhole ? { term: 'email' } : { fault: 'part of an email address' }
  }
  if (/^[+\d\s().-]+$/.test(typed) && /\d/.test(typed)) {
    return parsePhoneDigits(typed) === undefined
      ? { fault: 'part of a phone number' }
      : { term: 'phone' }
  }
  if (/^(?=.*\d)[\da-f-]{6,}…?$/i.test(typed)) return { fault: 'part of a reference' }
  return typed.split(/\s+/).length > maxWords ? { fault: 'too long' } : { term: 'name' }
}

/** Returns the 10 digits of a phone number, without the country code; undefined for another number of digits. */
export function parsePhoneDigits(text: string): string | undefined {
  const digits = text.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '')
  return digits.length === 10 ? digits : undefined
}

/** Describes the leads of a search whose text is not stored, as in `leads with one last name (found by search)`. */
export const describeFoundLeads = (term: SearchTerm | undefined): string =>
  term === undefined
    ? 'leads found by search'
    : `leads with one ${searchTermNames[term]} (found by search)`
