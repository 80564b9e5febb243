import type { Lead } from '../lead.ts'
import { fold } from './fold.ts'
import { isDense } from './is-dense.ts'
import { misread } from './misread.ts'

/** Of a lead what names its person. */
export type Quoted = Pick<
  Lead,
  'email' | 'phone' | 'firstName' | 'lastName' | 'street' | 'city' | 'zip'
> & { readonly consent: Pick<Lead['consent'], 'ip'> }

export interface NamingPart {
  /** Without accents and case. */
  readonly wanted: string
  /** `li` is in `client`, and says nothing there. Of what was misread one never knows. */
  readonly isFound: 'anywhere' | 'alone'
  readonly isDense: boolean
}

/** A shorter one is masked where it stands alone only. */
const longEnough = 4

export function namingParts(lead: Quoted): readonly NamingPart[] {
  const values = valuesOf(lead)
  const said = unlikeValues(values)
    .map((value) => ({ wanted: fold(value), isDense: isDense(value) }))
    .filter(({ wanted, isDense }) => wanted.length >= (isDense ? 1 : 2))
    .map((part) => ({ ...part, isFound: foundOf(part) }))
  const misreadOnes = unlikeValues(values.flatMap(misread))
    .map((value) => ({ wanted: fold(value), isDense: false, isFound: 'alone' as const }))
    .filter(({ wanted }) => wanted.length >= 3)
  return [...said, ...misreadOnes]
}

const unlikeValues = (values: readonly string[]): readonly string[] => [...new Set(values)]

const foundOf = (part: Pick<NamingPart, 'wanted' | 'isDense'>): NamingPart['isFound'] =>
  part.isDense || part.wanted.length >= longEnough ? 'anywhere' : 'alone'

const valuesOf = (lead: Quoted): readonly string[] => [
  lead.email,
  ...emailParts(lead.email),
  lead.phone,
  ...withParts(lead.firstName),
  ...withParts(lead.lastName),
  lead.firstName + lead.lastName,
  lead.lastName + lead.firstName,
  lead.street,
  ...streetParts(lead.street),
  lead.city,
  lead.zip,
  lead.consent.ip,
]

/** Who has two names is called by either. */
const withParts = (name: string): readonly string[] =>
  [name, ...name.split(/[^\p{L}\p{M}\p{N}]+/u)].flatMap((part) => [part, inPlainLetters(part)])

/** Müller is Mueller where a form takes plain letters alone. */
const inPlainLetters = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/[äöüøÄÖÜØ]/g, (letter) => `${fold(letter)}e`)
    .replace(/å/gi, 'aa')

/** `ada.lovelace` is written as two words as well. */
function emailParts(email: string): readonly string[] {
  const [local = ''] = email.split('@')
  return [local, ...local.split(/[^\p{L}\p{N}]+/u).filter(isTellingAlone)]
}

/** `Avenue` is written `Ave` as well, and the street without its number. */
function streetParts(street: string): readonly string[] {
  const words = street.trim().split(/\s+/u)
  const names = words.filter((word) => isTellingAlone(word) && !ofStreets.has(word.toLowerCase()))
  return [words.length > 2 ? words.slice(0, -1).join(' ') : '', ...names]
}

const isTellingAlone = (word: string): boolean => word.length >= longEnough && /\p{L}/u.test(word)

/** In many streets' names, and in what is said about any. */
const ofStreets: ReadonlySet<string> = new Set(
  'street avenue road drive lane court boulevard place circle terrace parkway highway trail square north south east west apartment suite unit'.split(
    ' ',
  ),
)
