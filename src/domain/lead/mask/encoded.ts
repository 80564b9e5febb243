/** What may be base64, in either alphabet. */
export const encoded = /[\w+/-]{8,}={0,2}/g

/**
 * Bytes that can be UTF-8, in hexadecimal. What only looks like base64, as most long words do, fails here in a third of the
 * time that an exception takes.
 */
const likeText = /^(?:[2-7][\da-f]|[c-f][\da-f](?:[89ab][\da-f])+)+$/

/** Undefined where it is no text. */
export function decoded(token: string): string | undefined {
  const digits = token.replaceAll('=', '').replaceAll('-', '+').replaceAll('_', '/')
  // One digit alone, of what was cut off, holds no byte.
  const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits
  try {
    const bytes = Uint8Array.fromBase64(whole).toHex()
    if (!likeText.test(bytes)) return undefined
    const plain = decodeURIComponent(bytes.replace(/../g, '%$&'))
    return /\p{Cc}/u.test(plain) ? undefined : plain
  } catch {
    return undefined
  }
}
