import type { Lead } from '../lead.ts'
import { decoded, encoded } from './encoded.ts'
import { character, unescaped } from './escapes.ts'
import { fold } from './fold.ts'
import { isOrdinaryWord } from './is-ordinary-word.ts'
import { isTelling, withoutNumbers } from './is-telling.ts'
import { hidden } from './mask-lead.ts'

interface Piece {
  readonly start: number
  readonly end: number
  /** A letter or a digit, without accent and case. */
  readonly folded: string
}

/** Of a lead what names its person. */
export type Quoted = Pick<
  Lead,
  'email' | 'phone' | 'firstName' | 'lastName' | 'street' | 'city' | 'zip'
> & { readonly consent: Pick<Lead['consent'], 'ip'> }

/** A shorter one is masked where it stands alone only: `Li` is in `client`. */
const longEnough = 4

/** A name may be one letter of these, and no gap stands between them. */
const ofOneLetter = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u

/**
 * What the distributor wrote, without what it quotes of the lead: whichever way that is written or escaped, with accents or
 * without. What stands side by side goes as one. What else looks like an address or a phone number goes, too.
 */
export function maskQuoted(text: string, lead: Quoted): string {
  return maskPlain(
    text.replace(encoded, (token) => {
      const plain = decoded(token)
      return plain !== undefined && maskPlain(plain, lead) !== plain ? hidden : token
    }),
    lead,
  )
}

function maskPlain(text: string, lead: Quoted): string {
  const pieces = piecesOf(text)
  const folded = pieces.map((piece) => piece.folded).join('')
  const quoted = new Set<number>()
  for (const value of namingParts(lead)) {
    const wanted = fold(value)
    const isDense = ofOneLetter.test(value)
    if (wanted.length < (isDense ? 1 : 2)) continue
    for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, at + 1)) {
      const [first, last] = wholeWords(pieces, at, at + wanted.length - 1)
      const isAlone = last - first === wanted.length - 1
      if (wanted.length < longEnough && !isAlone && !isDense) continue
      for (let index = first; index <= last; index++) quoted.add(index)
    }
  }
  showOrdinaryWords(text, pieces, quoted)
  return withoutNumbers(withoutPieces(text, pieces, quoted).split(' '))
    .map((word) => (isTelling(word) ? hidden : word))
    .join(' ')
}

const namingParts = (lead: Quoted): readonly string[] => [
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
  [name, ...name.split(/[\s-]/u)].flatMap((part) => [part, inPlainLetters(part)])

/** Müller is Mueller where a form takes plain letters alone. */
const inPlainLetters = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/[äöüÄÖÜ]/g, (letter) => `${fold(letter)}e`)
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

function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  for (const match of text.matchAll(character)) {
    const [written] = match
    const plain = unescaped(written)
    const end = match.index + written.length
    const last = pieces.at(-1)
    // An accent by itself, or what nobody sees, ends no word.
    if (/^[\p{M}\p{Cf}]$/u.test(plain)) {
      if (last?.end === match.index) pieces[pieces.length - 1] = { ...last, end }
      continue
    }
    // Each letter of it stands for the whole.
    for (const folded of fold(plain)) pieces.push({ start: match.index, end, folded })
  }
  return pieces
}

/** Whether the letter at `index` and the next one stand side by side, so that neither begins or ends a word. */
function isJoined(pieces: readonly Piece[], index: number): boolean {
  const [one, next] = [pieces[index], pieces[index + 1]]
  return one !== undefined && next !== undefined && one.end >= next.start
}

/** From where to where the words go that both ends lie in: `ch•••l` would say more of Anne than `•••`. */
function wholeWords(pieces: readonly Piece[], from: number, to: number): readonly [number, number] {
  let [first, last] = [from, to]
  while (isJoined(pieces, first - 1)) first--
  while (isJoined(pieces, last)) last++
  return [first, last]
}

/**
 * A word in a sentence, in small letters and beside nothing else of the person, names nobody, other than as a value: `offer •••` would tell of
 * somebody called Cap what `offer cap` does not.
 */
function showOrdinaryWords(text: string, pieces: readonly Piece[], quoted: Set<number>): void {
  for (let first = 0; first < pieces.length; first++) {
    let last = first
    while (isJoined(pieces, last)) last++
    const [start, end] = [pieces[first]?.start, pieces[last]?.end]
    const stands = !quoted.has(first - 1) && !quoted.has(last + 1)
    const isInSentence =
      start !== undefined &&
      /(?:^|[\p{L}\p{N},;.] )$/u.test(text.slice(0, start)) &&
      /^(?:$|[ .,;!?])/u.test(text.slice(end)) &&
      last - first + 1 < text.length
    if (quoted.has(first) && stands && isInSentence && isOrdinaryWord(text.slice(start, end))) {
      for (let index = first; index <= last; index++) quoted.delete(index)
    }
    first = last
  }
}

function withoutPieces(
  text: string,
  pieces: readonly Piece[],
  quoted: ReadonlySet<number>,
): string {
  let shown = ''
  let written = 0
  let isHiding = false
  for (const [index, { start, end }] of pieces.entries()) {
    if (quoted.has(index)) {
      if (!isHiding) shown += text.slice(written, start) + hidden
      written = end
      isHiding = true
    } else isHiding = false
  }
  return shown + text.slice(written)
}
