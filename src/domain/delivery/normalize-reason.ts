/** Stands for whatever differs from lead to lead. */
const folded = '…'

const mostCharacters = 120

/**
 * Reduces a distributor's response to the reason that many leads share, so that error groups can be keyed by it: markup is
 * dropped; numbers, ids, email addresses, quoted values and the lead's own values become "…".
 * @param personal the lead's own values as it was sent with them, such as its names and street
 * @returns at most 121 characters; empty where no word is left
 */
export function normalizeReason(response: string, personal: readonly string[]): string {
  const text = personal
    .filter((value) => value.length > 1)
    .reduce((left, value) => left.replace(wordsLike(value), folded), withoutMarkup(response))
    .replace(/\S*@\S*/g, folded)
    .replace(
      /(?<!\S)(?:"[^"]{1,60}"|'[^']{1,60}'|‘[^’]{1,60}’|“[^”]{1,60}”)(?![\p{L}\p{N}])/gu,
      folded,
    )
    .replace(/[\p{L}_-]*[\p{N}…][\p{L}\p{N}_…-]*/gu, folded)
    .replace(/[(+#]*…(?:[^\p{L}…]*…)+\)?|\(…\)/gu, folded)
    .replace(/\s+/g, ' ')
    .trim()
  if (!/\p{L}/u.test(text)) return ''
  const characters = [...text]
  return characters.length <= mostCharacters
    ? text
    : `${characters.slice(0, mostCharacters).join('')}${folded}`
}

const wordsLike = (value: string): RegExp =>
  new RegExp(`(?<!\\p{L})${escaped(value)}(?!\\p{L})`, 'giu')

const escaped = (value: string): string =>
  value.replace(/[^\p{L}\p{N}]/gu, (mark) => `\\u{${mark.codePointAt(0)?.toString(16)}}`)

/** `{"error":"full"}` becomes `error: full`. */
function withoutMarkup(response: string): string {
  const text = response.replace(/<[^>]*>/g, ' ')
  return /^\s*[[{]/.test(text)
    ? text
        .replaceAll('":', ': ')
        .replaceAll('",', ', ')
        .replace(/[[\]{}"]/g, ' ')
    : text
}
