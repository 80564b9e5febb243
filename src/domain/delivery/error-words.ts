/** In the place of what differs from lead to lead. */
const folded = '…'

const mostCharacters = 120

/** No word is that long. */
const longestWord = 25

/** A quoted value has no more words than that. */
const longestQuote = 8

/** After these words that begin with a capital are somebody's names. */
const beforeNames = new Set(
  'for of by from to with name named lead customer person contact user student applicant mr mrs ms dr'.split(
    ' ',
  ),
)

/**
 * What the distributor said, without whom it said it of, so that the same words of many leads are the same. Whatever has a
 * digit is folded (ids, numbers, telephone numbers, times), and email addresses, quoted values, names.
 * @param said without what it quotes of the lead: see `maskQuoted`
 */
export function foldWords(said: string): string {
  const words = withoutJson(withoutTags(said)).split(/\s+/).map(foldWord)
  const text = withoutRepeats(foldNames(foldQuotes(words)))
    .join(' ')
    .trim()
  if (!isLetter.test(text)) return ''
  const characters = [...text]
  return characters.length <= mostCharacters
    ? text
    : `${characters.slice(0, mostCharacters).join('')}${folded}`
}

const isLetter = /\p{L}/u

const withoutTags = (text: string): string => {
  const [first = '', ...rest] = text.split('<')
  return [first, ...rest.map((part) => part.slice(part.indexOf('>') + 1))].join(' ')
}

/** `{"error":"full"}` is `error: full`. */
const withoutJson = (text: string): string =>
  /^\s*[[{]/.test(text)
    ? text
        .replaceAll('":', ': ')
        .replaceAll('",', ', ')
        .replace(/[[\]{}"]/g, ' ')
    : text

function foldWord(word: string): string {
  if (word.includes('@')) return folded
  const pieces = word
    .split(/([^\p{L}\p{N}_•-])/u)
    .map((piece) => (/[\p{N}•]/u.test(piece) || piece.length >= longestWord ? folded : piece))
  const text = pieces.join('')
  return isFolded(text) ? inBrackets(text) : text
}

const isFolded = (word: string): boolean => word.includes(folded) && !isLetter.test(word)

/** What stood between the parts of a time or a telephone number goes with them. */
function inBrackets(word: string): string {
  const [before, after] = [word.indexOf(folded), word.lastIndexOf(folded)]
  const isClosed = before === 1 && word.startsWith('(') && word.indexOf(')', after) !== -1
  return (isClosed ? '(' : '') + folded + word.slice(after + 1)
}

function foldQuotes(words: readonly string[]): readonly string[] {
  const left: string[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    const length = /^["'“‘«]./u.test(word)
      ? lengthOfQuote(words.slice(index, index + longestQuote))
      : 0
    left.push(length === 0 ? word : folded)
    index += Math.max(0, length - 1)
  }
  return left
}

const lengthOfQuote = (words: readonly string[]): number =>
  words.findIndex((word) => /["'”’»][,.;:)]?$/u.test(word)) + 1

function foldNames(words: readonly string[]): readonly string[] {
  const left: string[] = []
  for (let index = 0; index < words.length; index++) {
    const names = mayPrecedeNames(words[index - 1]) ? countNames(words, index) : 0
    left.push(names < 2 ? (words[index] ?? '') : folded)
    if (names > 1) index += names - 1
  }
  return left
}

const mayPrecedeNames = (word = ''): boolean =>
  beforeNames.has(word.replace(/[.:=]$/, '').toLowerCase())

function countNames(words: readonly string[], from: number): number {
  const end = words.findIndex((word, index) => index >= from && !/^\p{Lu}/u.test(word))
  return (end === -1 ? words.length : end) - from
}

const withoutRepeats = (words: readonly string[]): readonly string[] =>
  words.filter((word, index) => !(isFolded(word) && isFolded(words[index + 1] ?? '')))
