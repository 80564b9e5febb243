import { ofMail, rare, unescapedOfMail, unescapedRare, unescapedWhole } from './escapes.ts'
import { hidden } from './mask-lead.ts'

/** A phone number may be written with gaps: words of digits alone that stand side by side are one. */
export function withoutNumbers(words: readonly string[]): readonly string[] {
  const left: string[] = []
  let run: string[] = []
  const endRun = () => {
    left.push(...(run.length > 1 && isTelling(run.join('')) ? [hidden] : run))
    run = []
  }
  for (const word of words) {
    if (/\p{L}/u.test(word)) {
      endRun()
      left.push(word)
    } else run.push(word)
  }
  endRun()
  return left
}

/** An email or IP address, or so many digits as a phone number has; escaped or in another width, too. */
export function isTelling(word: string): boolean {
  const plain = unescapedWhole(word).normalize('NFKC')
  if (plain.includes('@') || plain.replace(/\P{Nd}/gu, '').length >= 7) return true
  const others = [plain.replace(ofMail, unescapedOfMail), plain.replace(rare, unescapedRare)]
  return ipv4.test(plain) || others.some((other) => email.test(other))
}

/** `status=404` is none. */
const email = /@[a-z][\da-z-]*\.[a-z]/i

const ipv4 = /(?<![\d.])\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?![\d.])/
