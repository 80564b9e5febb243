import { reasonInWords } from './reason-in-words.ts'

/** `HTTP 503`, `no whole answer in time`, `ECONNREFUSED`: what leads are grouped and looked for by, for an operator. */
export function errorInWords(error: string): string {
  if (/^\d{3}$/.test(error)) return `HTTP ${error}`
  return Object.hasOwn(reasonInWords, error)
    ? reasonInWords[error as keyof typeof reasonInWords]
    : error
}
