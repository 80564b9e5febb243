/** More than any number here has, so that a long text costs no more than a short one. */
const mostDigits = 40

const isDigit = (code: number): boolean => /\p{Nd}/u.test(String.fromCodePoint(code))

/** Each script's ten digits stand in a row in Unicode, from nought to nine. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let first = code
  while (isDigit(first - 1)) first -= 1
  return String((code - first) % 10)
}

/** The digits of a text, of any script, as 0 to 9; nothing else of it. */
export const digitsOf = (text: string): string =>
  [...text.replace(/\P{Nd}/gu, '')].slice(0, mostDigits).map(asciiDigit).join('')
