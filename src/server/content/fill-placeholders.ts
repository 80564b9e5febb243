import type { Names } from '#content/disclosure.ts'
import { fillIn } from '#content/fill-in.ts'
import { retentionWords } from '#content/legal/retention-words.ts'
import type { SiteWords } from '#content/site-words.ts'

/** What the site's cookies are called in the browser. */
export interface CookieNames {
  /** All hold the same token. */
  readonly tokens: readonly string[]
  readonly affiliate: string
  readonly received: string
}

const inWords = ['none', 'one', 'two', 'three', 'four']

/** Fills the settings' names, and what only the product knows of itself, into the operator's words. */
export function fillPlaceholders(words: SiteWords, names: Names, cookies: CookieNames): SiteWords {
  const { tokens, affiliate, received } = cookies
  return filled(words, {
    school: names.school,
    operator: names.operator,
    'privacy-email': names.privacyEmail,
    'unsubscribe-url': names.unsubscribeUrl,
    retention: retentionWords(names.retentionDays),
    'cookie-count': inWords[tokens.length + 2] ?? '',
    'token-cookies': tokens.join(' and '),
    'affiliate-cookie': affiliate,
    'received-cookie': received,
  })
}

function filled<Value>(value: Value, values: Readonly<Record<string, string>>): Value {
  if (typeof value === 'string') return fillIn(value, values) as Value
  if (Array.isArray(value)) return value.map((part) => filled(part, values)) as Value
  if (typeof value !== 'object' || value === null) return value
  const parts = Object.entries(value).map(([key, part]) => [key, filled(part, values)])
  return Object.fromEntries(parts) as Value
}
