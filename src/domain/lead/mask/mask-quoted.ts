import type { Lead } from '../lead.ts'
import { isOrdinaryWord } from './is-ordinary-word.ts'
import { hidden } from './mask-lead.ts'

/** One character of a text, however it was escaped: as HTML, in an address, as JSON; or as it is. */
const character = /&#?[\da-z]{1,8};|(?:%[\da-f]{2}){1,4}|\\u[\da-f]{4}|./gisu

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

/**
 * What the distributor wrote, without what it quotes of the lead: whichever way that is written or escaped, with accents or
 * without. What stands side by side goes as one. What else looks like an address or a phone number goes, too.
 */
export function maskQuoted(text: string, lead: Quoted): string {
  const pieces = piecesOf(text)
  const folded = pieces.map((piece) => piece.folded).join('')
  const quoted = new Set<number>()
  for (const value of namingParts(lead)) {
    const wanted = fold(value)
    if (wanted.length < 2) continue
    for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, at + 1)) {
      const [first, last] = wholeWords(pieces, at, at + wanted.length - 1)
      const isAlone = last - first === wanted.length - 1
      if (wanted.length < longEnough && !isAlone) continue
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
  lead.street,
  ...streetParts(lead.street),
  lead.city,
  lead.zip,
  lead.consent.ip,
]

/** Who has two names is called by either. */
const withParts = (name: string): readonly string[] => [name, ...name.split(/[\s-]/u)]

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
    // Each letter of it stands for the whole.
    for (const folded of fold(unescaped(written))) {
      pieces.push({ start: match.index, end: match.index + written.length, folded })
    }
  }
  return pieces
}

const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescaped(written: string): string {
  if (written.length < 2) return written
  if (written.startsWith('\\u')) return String.fromCharCode(Number.parseInt(written.slice(2), 16))
  if (written.startsWith('%')) return fromPercent(written)
  if (written.startsWith('&#x') || written.startsWith('&#X'))
    return ofCode(written.slice(3, -1), 16)
  if (written.startsWith('&#')) return ofCode(written.slice(2, -1), 10)
  return written.startsWith('&') ? ofName(written.slice(1, -1)) : written
}

/** `iacute` is an i: accents are folded away in any case. */
function ofName(name: string): string {
  const [, letter] =
    /^([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring|caron|slash)$/i.exec(name) ?? []
  return letter ?? named[name] ?? `&${name};`
}

function ofCode(digits: string, base: number): string {
  const code = Number.parseInt(digits, base)
  return code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

function fromPercent(written: string): string {
  try {
    return decodeURIComponent(written)
  } catch {
    return written
  }
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
 * A word of any sentence, in small letters and beside nothing else of the person, names nobody: `offer •••` would tell of
 * somebody called Cap what `offer cap` does not.
 */
function showOrdinaryWords(text: string, pieces: readonly Piece[], quoted: Set<number>): void {
  for (let first = 0; first < pieces.length; first++) {
    let last = first
    while (isJoined(pieces, last)) last++
    const [start, end] = [pieces[first]?.start, pieces[last]?.end]
    const stands = !quoted.has(first - 1) && !quoted.has(last + 1)
    if (quoted.has(first) && stands && isOrdinaryWord(text.slice(start, end))) {
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

/** A phone number may be written with gaps: words of digits alone that stand side by side are one. */
function withoutNumbers(words: readonly string[]): readonly string[] {
  const left: string[] = []
  for (let from = 0; from < words.length; ) {
    const end = words.findIndex((word, index) => index >= from && !isNumber(word))
    const to = end === -1 ? words.length : end
    const run = words.slice(from, to)
    left.push(...(run.length > 1 && isTelling(run.join('')) ? [hidden] : run))
    if (end !== -1) left.push(words[end] ?? '')
    from = to + 1
  }
  return left
}

const isNumber = (word: string): boolean => /\d/.test(word) && !/\p{L}/u.test(word)

/** An email address, or so many digits as a phone number has. */
const isTelling = (word: string): boolean =>
  word.includes('@') || word.replace(/\D/g, '').length >= 7
