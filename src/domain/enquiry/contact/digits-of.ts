/** Longer than any number in the form: a very long text costs no more than a short one. */
const maxDigits = 40

const isDigit = (code: number): boolean => /\p{Nd}/u.test(String.fromCodePoint(code))

/** Unicode lists each script's ten digits in a row, from zero to nine. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (isDigit(zero - 1)) zero -= 1
  return String((code - zero) % 10)
}

/** The first {@link maxDigits} digits of a text, of any script, as 0 to 9. */
export const digitsOf = (text: string): string =>
  /[^ -~]/.test(text)
    ? [...text.replace(/\P{Nd}/gu, '')].slice(0, maxDigits).map(asciiDigit).join('')
    : text.replace(/\D/g, '').slice(0, maxDigits)
