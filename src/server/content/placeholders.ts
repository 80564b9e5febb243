import type { Names } from '#content/disclosure.ts'
import { fillIn } from '#content/fill-in.ts'
import { retentionWords } from '#content/retention-words.ts'
import { legalPaths, type SiteWords } from '#content/site-words.ts'
import { areaPath, areas } from '#domain/area.ts'

/** Those that the settings fill in, everywhere but where the build reads the words, too. */
export const nameplates = ['school', 'operator'] as const

/** In texts that can have links. */
export const linkNames = ['privacy-email', 'unsubscribe-form'] as const

/**
 * Every brace that is no placeholder of this place.
 * @param known those that are
 */
export function strangePlaceholders(text: string, known: readonly string[]): readonly string[] {
  const there =
    known.length === 0
      ? 'there is none here'
      : `here there ${known.length === 1 ? 'is' : 'are'} ${known.map((name) => `{${name}}`).join(', ')}`
  return [...text.matchAll(/\{([^{}]*)\}/g)].flatMap(([found, name = '']) =>
    known.includes(name) ? [] : [`${found} is no placeholder: ${there}`],
  )
}

/** Every text of a file, with its place. */
export function* textsIn(
  value: unknown,
  path: readonly (string | number)[] = [],
): Generator<{ readonly path: readonly (string | number)[]; readonly text: string }> {
  if (typeof value === 'string') yield { path, text: value }
  else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      yield* textsIn(part, [...path, Array.isArray(value) ? Number(key) : key])
    }
  }
}

/** The names of the site's cookies in the browser. */
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

const pages: readonly string[] = [...areas.map(areaPath), ...legalPaths]

/**
 * Whether a link of the operator's leads somewhere: to a page of ours, to a place on this one, or
 * out, over https or by mail. A script's address does not.
 * @param anchors the places of the page where it occurs
 */
export function isKnownLink(href: string, anchors: readonly string[] = []): boolean {
  if (href.startsWith('#')) return anchors.includes(href.slice(1))
  if (href.startsWith('/') && !href.startsWith('//'))
    return pages.includes(href.split('#')[0] ?? '')
  if (/^mailto:[^\s@]+@[^\s@]+$/.test(href)) return true
  return URL.canParse(href) && new URL(href).protocol === 'https:'
}
