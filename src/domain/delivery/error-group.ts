import { describeAttemptError } from './outcome.ts'

/** Separates the error from the response in a group's id. No error contains a tilde. */
const groupIdSeparator = '~'

/** Returns the id of the group of leads that share the same error and response, for URLs and filters. */
export const makeErrorGroupId = (error: string, responseHash: string): string =>
  `${error}${groupIdSeparator}${responseHash}`

/** Describes a group by its error alone, because the store deletes the response together with the group's last lead. */
export const describeErrorGroup = (id: string): string =>
  `${describeAttemptError(id.split(groupIdSeparator, 1)[0] ?? id)}, one response`

export const isErrorGroupId = (error: string): boolean => error.includes(groupIdSeparator)

const ellipsis = '…'

const maxCharacters = 120

/** Words with at least this many characters count as ids. */
const minIdLength = 25

/**
 * Reduces a distributor's response to the reason that many leads share. Markup is removed. Numbers, ids, email
 * addresses, quoted values and the lead's own words become “…”.
 * @param personal the values that we sent, such as the name and the street
 * @returns at most 121 characters; `code 104` for a short number alone; empty if no word is left
 */
export function extractCommonReason(response: string, personal: readonly string[]): string {
  const personalWords = new Set(
    personal.flatMap((value) => value.toLowerCase().match(/[\p{L}\p{M}]{2,}/gu) ?? []),
  )
  // Only capitalized words count as names: “May” may be a name, but “may” is not.
  const isPersonal = (part: string): boolean =>
    personalWords.has(part.toLowerCase()) && part.charAt(0) === part.charAt(0).toUpperCase()
  const shortenPart = (part: string): string =>
    /[\p{N}…]/u.test(part) || part.length >= minIdLength || isPersonal(part) ? ellipsis : part
  const words = stripMarkup(response)
    .replace(
      /(?<!\S)(?:"[^"]{1,60}"|'[^']{1,60}'|‘[^’]{1,60}’|“[^”]{1,60}”)(?![\p{L}\p{N}])/gu,
      ellipsis,
    )
    .split(/\s+/)
    .map((word) =>
      word.includes('@')
        ? ellipsis
        : normalizeWord(word.replace(/[\p{L}\p{M}\p{N}_…-]+/gu, shortenPart)),
    )
  const text = words
    .filter((word, index) => !(word === ellipsis && words[index + 1]?.startsWith(ellipsis)))
    .join(' ')
    .trim()
  if (!isLetter.test(text)) return isCode.test(response) ? `code ${response}` : ''
  const characters = [...text]
  return characters.length <= maxCharacters
    ? text
    : `${characters.slice(0, maxCharacters).join('')}${ellipsis}`
}

const isLetter = /\p{L}/u

/** A response without words may be the distributor's number of a reason; a longer number may be the lead's. */
const isCode = /^\d{1,4}$/

/** Replaces a word of digits and punctuation, such as a time or a phone number, by one ellipsis. */
function normalizeWord(word: string): string {
  if (!word.includes(ellipsis) || isLetter.test(word)) return word
  return word.endsWith(')') && !word.includes('(') ? `${ellipsis})` : ellipsis
}

/** Removes HTML tags, and turns `{"error":"full"}` into `error: full`. */
function stripMarkup(response: string): string {
  const [first = '', ...rest] = response.split('<')
  const text = [first, ...rest.map((part) => part.slice(part.indexOf('>') + 1))].join(' ')
  return /^\s*[[{]/.test(text)
    ? text
        .replaceAll('":', ': ')
        .replaceAll('",', ', ')
        .replace(/[[\]{}"]/g, ' ')
    : text
}
