/** What may be base64, in either alphabet. */
export const encoded = /[\w+/-]{8,}={0,2}/g

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Undefined where it is no text. */
export function decoded(token: string): string | undefined {
  let bits = ''
  for (const digit of token.replaceAll('=', '').replaceAll('-', '+').replaceAll('_', '/')) {
    bits += alphabet.indexOf(digit).toString(2).padStart(6, '0')
  }
  const bytes = bits.match(/\d{8}/g) ?? []
  const escapes = bytes.map((byte) => `%${Number.parseInt(byte, 2).toString(16).padStart(2, '0')}`)
  try {
    const plain = decodeURIComponent(escapes.join(''))
    return /\p{Cc}/u.test(plain) ? undefined : plain
  } catch {
    return undefined
  }
}
