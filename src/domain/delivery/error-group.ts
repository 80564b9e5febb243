/** Between the error and the mark of the words that came with it: no error has one. */
const groupIdSeparator = '~'

/** Identifies an error and its response in addresses, and replaces the error in a filter. */
export const errorGroupId = (error: string, mark: string): string =>
  `${error}${groupIdSeparator}${mark}`

/** The error of a group. */
export const errorOf = (group: string): string => group.split(groupIdSeparator, 1)[0] ?? group

export const isErrorGroup = (error: string): boolean => error.includes(groupIdSeparator)

/** Replaces the parts that differ from lead to lead. */
const folded = '…'

const maxCharacters = 120

/** No word is that long. */
const maxWordLength = 25

/**
 * Reduces a distributor's response to the reason that many leads share, so that error groups can be keyed by it: markup is
 * dropped; numbers, ids, email addresses, quoted values and words of the lead's own values become "…".
 * @param personal the lead's own values as it was sent with them, such as its names and street
 * @returns at most 121 characters; empty if no word is left
 */
export function normalizeReason(response: string, personal: readonly string[]): string {
  const own = new Set(
    personal.flatMap((value) => value.toLowerCase().match(/[\p{L}\p{M}]{2,}/gu) ?? []),
  )
  // Only with a capital: "May" may be somebody's name, "may" is not.
  const isOwn = (part: string): boolean =>
    own.has(part.toLowerCase()) && part.charAt(0) === part.charAt(0).toUpperCase()
  const foldPart = (part: string): string =>
    /[\p{N}…]/u.test(part) || part.length >= maxWordLength || isOwn(part) ? folded : part
  const words = withoutMarkup(response)
    .replace(
      /(?<!\S)(?:"[^"]{1,60}"|'[^']{1,60}'|‘[^’]{1,60}’|“[^”]{1,60}”)(?![\p{L}\p{N}])/gu,
      folded,
    )
    .split(/\s+/)
    .map((word) =>
      word.includes('@') ? folded : foldWord(word.replace(/[\p{L}\p{M}\p{N}_…-]+/gu, foldPart)),
    )
  const text = words
    .filter((word, index) => !(word === folded && words[index + 1]?.startsWith(folded)))
    .join(' ')
    .trim()
  if (!isLetter.test(text)) return ''
  const characters = [...text]
  return characters.length <= maxCharacters
    ? text
    : `${characters.slice(0, maxCharacters).join('')}${folded}`
}

const isLetter = /\p{L}/u

/** The marks within a time or a phone number go with its parts. */
function foldWord(word: string): string {
  if (!word.includes(folded) || isLetter.test(word)) return word
  return word.endsWith(')') && !word.includes('(') ? `${folded})` : folded
}

/** `{"error":"full"}` becomes `error: full`. */
function withoutMarkup(response: string): string {
  const [first = '', ...rest] = response.split('<')
  const text = [first, ...rest.map((part) => part.slice(part.indexOf('>') + 1))].join(' ')
  return /^\s*[[{]/.test(text)
    ? text
        .replaceAll('":', ': ')
        .replaceAll('",', ', ')
        .replace(/[[\]{}"]/g, ' ')
    : text
}
