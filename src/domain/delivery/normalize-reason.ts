/** Stands for whatever differs from lead to lead. */
const folded = '…'

const mostCharacters = 120

/** A distributor's whole error page would only add words that no group needs. */
const mostRead = 4000

/**
 * Reduces a distributor's response to the reason that many leads share, so that error groups can be keyed by it: markup is
 * dropped; numbers, ids, email addresses, quoted values and the lead's own values become "…".
 * @param personal the lead's own values as it was sent with them, such as its names and street
 * @returns at most 121 characters; empty where no word is left
 */
export function normalizeReason(response: string, personal: readonly string[]): string {
  const text = personal
    .filter((value) => value.length > 1)
    .reduce(foldValue, withoutMarkup(response.slice(0, mostRead)))
    .replace(
      /(?<!\S)(?:"[^"]{1,60}"|'[^']{1,60}'|‘[^’]{1,60}’|“[^”]{1,60}”)(?![\p{L}\p{N}])/gu,
      folded,
    )
  const words: string[] = []
  for (const word of text.split(/\s+/).map(foldWord)) {
    const last = words.at(-1)
    // Several values in a row are one: an address has as many words as it likes.
    if (word.startsWith(folded) && last === folded) words[words.length - 1] = word
    else if (word !== '') words.push(word)
  }
  const reason = words.join(' ')
  if (!/\p{L}/u.test(reason)) return ''
  const characters = [...reason]
  return characters.length <= mostCharacters
    ? reason
    : `${characters.slice(0, mostCharacters).join('')}${folded}`
}

/** Folds each place where the value stands as words of its own. */
function foldValue(text: string, value: string): string {
  const sought = value.toLowerCase()
  const searched = text.toLowerCase()
  // Few letters change their length with their case; such a text is searched as it is.
  const within = searched.length === text.length ? searched : text
  let result = ''
  let from = 0
  for (let at = within.indexOf(sought); at >= 0; at = within.indexOf(sought, at + 1)) {
    const end = at + sought.length
    if (at < from || isLetter(text[at - 1]) || isLetter(text[end])) continue
    result += text.slice(from, at) + folded
    from = end
  }
  return result + text.slice(from)
}

const isLetter = (character: string | undefined): boolean =>
  character !== undefined && /\p{L}/u.test(character)

/** Folds an email address, and every part of a word that has a digit; what names the value stays (`token=`). */
function foldWord(word: string): string {
  if (word.includes('@')) return folded
  if (!/[\p{N}…]/u.test(word)) return word
  const [, name = '', rest = ''] = /^([\p{L}_]+[=:])?(.*)$/u.exec(word) ?? []
  const isOpened = rest.startsWith('(')
  const end = /[,;:)]$/u.exec(rest)?.[0] ?? ''
  return isOpened && end === ')'
    ? `${name}${folded}`
    : `${name}${isOpened ? '(' : ''}${folded}${end}`
}

/** `{"error":"full"}` becomes `error: full`. */
function withoutMarkup(response: string): string {
  const text = response
    .split('<')
    .map((part, index) => (index === 0 ? part : ` ${part.slice(part.indexOf('>') + 1)}`))
    .join('')
  return /^\s*[[{]/.test(text)
    ? text
        .replaceAll('":', ': ')
        .replaceAll('",', ', ')
        .replace(/[[\]{}"]/g, ' ')
    : text
}
