/** What may be base64, in either alphabet. */
export const encoded = /[\w+/-]{8,}={0,2}/g

/** Undefined where it is no text. */
export function decoded(token: string): string | undefined {
  const digits = token.replaceAll('=', '').replaceAll('-', '+').replaceAll('_', '/')
  // One digit alone, of what was cut off, holds no byte.
  const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits
  try {
    const plain = decodeURIComponent(Uint8Array.fromBase64(whole).toHex().replace(/../g, '%$&'))
    return /\p{Cc}/u.test(plain) ? undefined : plain
  } catch {
    return undefined
  }
}
