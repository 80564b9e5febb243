/** The bytes 80 to 9f in Windows-1252. */
const windows = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** What becomes of other letters than those of ASCII: `GarcÃ­a`, where bytes are taken for letters, and `Garc?a`. */
export function misread(value: string): readonly string[] {
  if (/^[\x20-\x7e]*$/.test(value)) return []
  const composed = value.normalize('NFC')
  return [...new Set([composed, value])]
    .map(bytesOf)
    .flatMap((bytes) => [
      bytes,
      bytes.replace(/[\x80-\x9f]/g, (byte) => windows[byte.charCodeAt(0) - 0x80] ?? byte),
    ])
    .concat(
      [composed, value.normalize('NFKD')].map((letters) => letters.replace(/[^\x20-\x7e]/g, '')),
    )
}

/** Each byte of its UTF-8 as a letter. */
const bytesOf = (value: string): string =>
  encodeURIComponent(value.toWellFormed()).replace(/%(..)/g, (_, byte) =>
    String.fromCharCode(Number.parseInt(byte, 16)),
  )
