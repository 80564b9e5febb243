/** What may be base64, in either alphabet, or bytes in hexadecimal. So short that it may be a name. */
const encoded = /[\w+/-]{4,}={0,2}|[\w+/-]{2,3}={1,2}/g

/** Of what is broken into lines each has so many characters at least. */
const shortestLine = 64

export interface Token {
  readonly written: string
  readonly from: number
  readonly to: number
}

/** Each by itself, and with the lines before it. */
export function tokensIn(text: string): readonly Token[] {
  const tokens: Token[] = []
  let line: Token | undefined
  let lines: Token | undefined
  for (const { 0: written, index: from } of text.matchAll(encoded)) {
    const token = { written, from, to: from + written.length }
    const goesOn =
      line !== undefined &&
      line.written.length >= shortestLine &&
      /^ {1,2}$/.test(text.slice(line.to, from))
    lines = goesOn && lines ? joined(lines, token) : token
    tokens.push(token, ...(goesOn ? [lines] : []))
    line = token
  }
  return tokens
}

const joined = (lines: Token, { written, to }: Token): Token => ({
  written: lines.written + written,
  from: lines.from,
  to,
})

/**
 * Bytes that can be UTF-8, in hexadecimal: breaks and tabs, too, and cut off in the middle of a letter. What only looks like
 * base64, as most long words do, fails here in a third of the time that an exception takes.
 */
const likeText = /^(?:[2-7][\da-f]|0[9ad]|[c-f][\da-f](?:[89ab][\da-f])+)+(?:[c-f][\da-f])?$/

const lastLetter = /[c-f][\da-f](?:[89ab][\da-f])*$/

/** Fewer bytes are it too easily: `error` would be `zºè`. */
const likeLatin1 = /^(?:[2-7][\da-f]|0[9ad]|[c-f][\da-f]){6,}$/

/** As .NET writes texts: every other byte is zero. */
const likeUtf16 = /^(?:[2-7][\da-f]00)+$/

const mostSeparators = 3

/** What it may be of; and what is behind a word that it stands beside, as in `lead/TG92ZWxhY2U=`. */
export function decodings(token: string): readonly string[] {
  const tokens = [token]
  for (const { index } of token.matchAll(/[/_-]/g)) {
    if (tokens.length > mostSeparators) break
    tokens.push(token.slice(index + 1))
  }
  return tokens.flatMap((one) => [ofHex(one), ofBase64(one)]).filter((plain) => plain !== undefined)
}

const ofHex = (token: string): string | undefined =>
  /^(?:[\da-f]{2}){2,}$/i.test(token) ? ofBytes(token.toLowerCase()) : undefined

function ofBase64(token: string): string | undefined {
  const digits = token.replaceAll('=', '').replaceAll('-', '+').replaceAll('_', '/')
  // One digit alone, of what was cut off, holds no byte.
  const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits
  try {
    return ofBytes(Uint8Array.fromBase64(whole).toHex())
  } catch {
    return undefined
  }
}

/** Undefined where they are no text. */
function ofBytes(bytes: string): string | undefined {
  if (likeUtf16.test(bytes)) return ofUtf8(bytes.replace(/(..)00/g, '$1'))
  const plain = ofUtf8(bytes) ?? ofUtf8(bytes.replace(lastLetter, '')) ?? ofLatin1(bytes)
  return plain === undefined || /[^\P{Cc}\t\n\r]/u.test(plain) ? undefined : plain
}

function ofUtf8(bytes: string): string | undefined {
  if (!likeText.test(bytes)) return undefined
  try {
    return decodeURIComponent(bytes.replace(/../g, '%$&'))
  } catch {
    return undefined
  }
}

function ofLatin1(bytes: string): string | undefined {
  if (!likeLatin1.test(bytes)) return undefined
  return bytes.replace(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16)))
}
