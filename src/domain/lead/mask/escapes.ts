/** One character of a text, escaped as HTML, in an address or as JSON. */
export const escaped =
  /&(?:#\d{1,8}|#x[\da-f]{1,8}|[a-z][\da-z]{1,15});|%(?:[c-f][\da-f](?:%[89ab][\da-f]){1,3}|[\da-f]{2})|\\u[\da-f]{4}|\\x(?:[c-f][\da-f](?:\\x[89ab][\da-f]){1,3}|[\da-f]{2})/gi

/** What may be an escape, and may as well stand for itself, as in `name=Ada`: of mail (quoted-printable), and rarer ones. */
export const ofMail = /=(?:[c-f][\da-f](?:=[89ab][\da-f]){1,3}|[\da-f]{2})|= {1,2}(?=\S)/gi

export const rare =
  /&#\d{1,8}|%u[\da-fA-F]{4}|\\u\{[\da-fA-F]{1,6}\}|\\[nrtbf"'/\\]|\\[0-3][0-7]{2}/g

/** The begin of one, where the text was cut off in it. */
export const cutEscape = /[&%\\=][#\da-z]{0,7}(?=…$)/gi

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  lsquo: '‘',
  rsquo: '’',
  commat: '@',
  period: '.',
  comma: ',',
  colon: ':',
  sol: '/',
  bsol: '\\',
  num: '#',
  percnt: '%',
  plus: '+',
  equals: '=',
  lowbar: '_',
  hyphen: '-',
  dash: '-',
  ndash: '–',
  mdash: '—',
  nbsp: ' ',
  shy: '\u00ad',
  zwj: '\u200d',
  zwnj: '\u200c',
  szlig: 'ß',
  aelig: 'æ',
  oelig: 'œ',
  eth: 'ð',
  thorn: 'þ',
  lstrok: 'ł',
  dstrok: 'đ',
  hstrok: 'ħ',
  inodot: 'ı',
}

export function unescaped(written: string): string {
  if (/^\\u/i.test(written)) return ofCode(written.slice(2), 16)
  if (/^[%\\]/.test(written)) return ofBytes(written.replaceAll(/\\x/gi, '%'))
  if (/^&#x/i.test(written)) return ofCode(written.slice(3, -1), 16)
  if (written.startsWith('&#')) return ofCode(written.slice(2, -1), 10)
  return ofName(written.slice(1, -1))
}

export function unescapedOfMail(written: string): string {
  // A line that went on: neither the break nor its mark ends a word.
  return /^= /.test(written) ? '\u200b' : ofBytes(written.replaceAll('=', '%'))
}

export function unescapedRare(written: string): string {
  if (written.startsWith('&#')) return ofCode(written.slice(2), 10)
  if (/^.u/.test(written)) return ofCode(written.replace(/[^\da-f]/gi, ''), 16)
  if (/^\\\d/.test(written)) return ofCode(written.slice(1), 8)
  return /^\\[a-z]/.test(written) ? ' ' : written.slice(1)
}

/** `iacute` is an i: accents are folded away in any case. */
function ofName(name: string): string {
  const [, letter] =
    /^([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring|caron|slash|breve|macr|ogon|dot|dblac)$/i.exec(
      name,
    ) ?? []
  return letter ?? named[name.toLowerCase()] ?? `&${name};`
}

function ofCode(digits: string, base: number): string {
  const code = Number.parseInt(digits, base)
  return code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

/** What is no UTF-8 is Latin-1. */
function ofBytes(percents: string): string {
  try {
    return decodeURIComponent(percents)
  } catch {
    return percents.replace(/%(..)/g, (_, byte) => ofCode(byte, 16))
  }
}

/** What is escaped more often is no more read by anybody. */
export const mostTimes = 4

/** A whole text, and what was escaped more than once. */
export function unescapedWhole(text: string): string {
  let plain = text
  for (let times = 0; times < mostTimes && /[&%\\]/.test(plain); times++) {
    plain = plain.replace(escaped, unescaped)
  }
  return plain
}
