/** One character of a text, however it was escaped: as HTML, in an address, as JSON; or plain letters and digits. */
export const character =
  /&#?[\da-z]{1,8};|(?:%[\da-f]{2}){1,4}|\\u[\da-f]{4}|\\x[\da-f]{2}|[\da-z]+|./gisu

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  commat: '@',
}

export function unescaped(written: string): string {
  if (written.length < 2) return written
  if (/^\\[ux]/i.test(written)) return String.fromCharCode(Number.parseInt(written.slice(2), 16))
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

/** A whole text, and what was escaped more than once. */
export function unescapedWhole(text: string): string {
  let plain = text
  for (let times = 0; times < 3 && /[&%\\]/.test(plain); times++) {
    plain = plain.replace(character, (written) => unescaped(written))
  }
  return plain
}
