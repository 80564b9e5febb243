import {
  legalPaths,
  replacePlaceholders,
  type SiteNames,
  type SiteTexts,
} from '#content/site-texts.ts'
import { areaPath, areas } from '#domain/area.ts'
import { consentRetentionYears } from '#domain/lead/retention.ts'

/** The placeholders for `SCHOOL_NAME` and `OPERATOR_NAME`. Texts that the build reads may not contain them. */
export const organizationPlaceholders = ['school', 'operator']

/** The placeholders that pages show as links. */
export const linkPlaceholders = ['privacy-email', 'unsubscribe-form']

/** Returns a message for each name in braces that is not a known placeholder. */
export function findUnknownPlaceholders(text: string, known: readonly string[]): readonly string[] {
  const choice =
    known.length === 0 ? 'none can be used' : `use ${known.map((name) => `{${name}}`).join(', ')}`
  return [...text.matchAll(/\{([^{}]*)\}/g)].flatMap(([found, name = '']) =>
    known.includes(name) ? [] : [`has ${found}, which is not a placeholder here: ${choice}`],
  )
}

export interface CookieNames {
  /** The names of the cookies that carry the XSRF token; each cookie contains the same token. */
  readonly tokens: readonly string[]
  readonly affiliate: string
  readonly received: string
}

const numberWords = ['none', 'one', 'two', 'three', 'four']

/** Fills in the values of settings, and values that only the product knows, such as cookie names. */
export function fillPlaceholders(
  texts: SiteTexts,
  names: SiteNames,
  cookies: CookieNames,
): SiteTexts {
  const { tokens, affiliate, received } = cookies
  return fillNested(texts, {
    school: names.school,
    operator: names.operator,
    'privacy-email': names.privacyEmail,
    'unsubscribe-url': names.unsubscribeUrl,
    retention: describeRetention(names.retentionDays),
    'cookie-count': numberWords[tokens.length + 2] ?? '',
    'token-cookies': tokens.join(' and '),
    'affiliate-cookie': affiliate,
    'received-cookie': received,
  })
}

type Values = Readonly<Record<string, string>>

function fillNested<Value>(value: Value, values: Values): Value {
  if (typeof value === 'string') return replacePlaceholders(value, values) as Value
  if (Array.isArray(value)) return value.map((part) => fillNested(part, values)) as Value
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, part]) => [
    key,
    fillNested(part, key === 'html' ? escapeValues(values) : values),
  ])
  return Object.fromEntries(entries) as Value
}

/** Escapes the values that go into HTML. */
export const escapeValues = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`),
    ]),
  )

const describeRetention = (days: number | undefined): string =>
  days === undefined
    ? 'We keep your answers and the proof of your consent until you ask us to erase them, or until we no longer need them.'
    : `We erase your answers ${days} days after you sent them or, if your request is still waiting for delivery then, as soon as that is settled. We delete the proof of your consent ${consentRetentionYears} years after you gave it. After that we know only that there was a request, and nothing about you.`

const pages: readonly string[] = [...areas.map(areaPath), ...legalPaths]

/** Allows links to pages of the site, anchors of the same page, https URLs and email addresses. */
export function isAllowedLink(href: string, anchors: readonly string[] = []): boolean {
  if (href.startsWith('#')) return anchors.includes(href.slice(1))
  if (/^\/(?!\/)/.test(href)) return pages.includes(href.replace(/#.*/, ''))
  if (/^mailto:[^\s@]+@[^\s@]+$/.test(href)) return true
  // Browsers would remove spaces and line breaks from the address.
  return !/[\s\p{Cc}]/u.test(href) && URL.parse(href)?.protocol === 'https:'
}
