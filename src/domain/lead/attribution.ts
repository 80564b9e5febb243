import { toPlainLine } from '../text/plain-line.ts'

/** The URL parameters by which an ad or a link names its campaign. */
const campaignParams = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
] as const

/** The affiliate's own id of a click. The setting `CLICK_ID_PARAM` names the URL parameter of click ids. */
export const affiliateClickIdPart = 'click_id'

/** The ad platforms' click ids. A click id without `utm_source` makes its platform the source. */
const platforms = {
  gclid: 'google',
  gbraid: 'google',
  wbraid: 'google',
  fbclid: 'facebook',
  msclkid: 'bing',
  ttclid: 'tiktok',
} as const

const platformClickIds = Object.keys(platforms) as (keyof typeof platforms)[]

/** The ids by which an ad platform or an affiliate names one click. */
export const clickIdParams = [...platformClickIds, affiliateClickIdPart] as const

/** The parts of a touch that identify no click, in the order of pages and exports. `referrer` is a host. */
export const partsWithoutClickIds = [...campaignParams, 'referrer'] as const

export const touchParts = [...partsWithoutClickIds, ...clickIdParams] as const

type TouchPart = (typeof touchParts)[number]

/** The campaign parameters, the referrer and the click ids of a visit's first page; empty for a direct visit. */
export type Touch = Readonly<Partial<Record<TouchPart, string>>>

/** The first and the last touch of a tab (reading 29). A single touch is both the first and the last. */
export interface Attribution {
  readonly first: Touch
  readonly last: Touch
}

/** The maximum lengths of a value. The index of leads holds sources and campaigns, so PostgreSQL limits their length. */
const maxLengths = { clickId: 1000, other: 500 }

/** The longest source or campaign, in characters. */
export const maxOriginLength = maxLengths.other

/**
 * Texts that an ad platform, network or mailer should have replaced: `{gclid}`, `${id}`, `[id]`, `__ID__`,
 * `%%id%%`, `*|ID|*`, `$(id)`. U+FFFD stands for a `%` that made an invalid URL escape, as in `%%CAMPAIGN%%`.
 */
const placeholders =
  /\{[^{}]*\}|\[[\w.:-]*\]|__[a-z\d]+(?:_[a-z\d]+)*__|[%\uFFFD][^%\uFFFD]+%|\*\|[^|]*\|\*|\$\([^()]*\)/gi

/** Decodes the URL escapes in a text, however often the text was encoded; invalid escapes stay. */
export function decodeUrlEscapes(text: string): string {
  const decoded = text.replace(/(?:%[\da-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes)
    } catch {
      return escapes
    }
  })
  return decoded === text ? text : decodeUrlEscapes(decoded)
}

/** True for a text that consists of placeholders, and for an id with a brace or `<`, which no ad platform's click id has. */
function isPlaceholder(value: string, isId: boolean): boolean {
  const text = decodeUrlEscapes(value).normalize('NFKC')
  const rest = text.replace(placeholders, '')
  return (isId && /[{}<>]/.test(text)) || (rest !== text && !/[\p{L}\p{N}]/u.test(rest))
}

/** Returns the key that all spellings of an affiliate id, a source or a campaign share: case makes no difference. */
export const makeOriginKey = (value: string): string => value.normalize('NFC').toLowerCase()

/** Converts an untrusted id to a plain line; undefined if the id is empty, a placeholder, or longer than `maxLength`. */
export function parseLinkId(text: string, maxLength: number): string | undefined {
  const line = toPlainLine(text)
  return line === '' || line.length > maxLength || isPlaceholder(line, true) ? undefined : line
}

function parsePart(part: TouchPart, text: string): string | undefined {
  if (clickIdParams.some((param) => param === part)) return parseLinkId(text, maxLengths.clickId)
  const line = toPlainLine(text)
  if (line === '' || line.length > maxLengths.other || isPlaceholder(line, false)) return undefined
  return part === 'referrer' ? line.toLowerCase().replace(/^www\.(?=.+\.)/, '') : line
}

/** Normalizes a parameter's name: in lower case, and without the `amp;` of links that were encoded as HTML twice. */
export const toParamName = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/^(amp;)+/, '')

/**
 * Reads a touch from untrusted names and values. A name's first valid value counts. A value is invalid if it is empty, a
 * placeholder or too long: a cut value would name another campaign or click.
 * @param keepsClickIds false if the browser asks not to be tracked
 */
export function parseTouch(
  pairs: Iterable<readonly [name: string, value: string]>,
  keepsClickIds: boolean,
): Touch {
  const parts: readonly TouchPart[] = keepsClickIds ? touchParts : partsWithoutClickIds
  const values = new Map<TouchPart, string>()
  for (const [name, text] of pairs) {
    const param = toParamName(name)
    const part = parts.find((known) => known === param)
    const value = part && !values.has(part) ? parsePart(part, text) : undefined
    if (part && value !== undefined) values.set(part, value)
  }
  return Object.fromEntries(
    parts.flatMap((part) => (values.has(part) ? [[part, values.get(part)]] : [])),
  )
}

/** Formats a touch as the query of a URL, without a question mark; empty for a direct visit. */
export const formatTouch = (touch: Touch): string =>
  touchParts
    .flatMap((part) => {
      const value = touch[part]
      return value === undefined ? [] : [`${part}=${encodeURIComponent(value)}`]
    })
    .join('&')

/** Formats the first and the last touch as queries with a space between them, as the form sends them. */
export const formatAttribution = ({ first, last }: Attribution): string =>
  `${formatTouch(first)} ${formatTouch(last)}`

/** Returns the source that a touch's link names: `utm_source`, or else the platform of its click id. */
export function findNamedSource(touch: Touch): string | undefined {
  const clickId = platformClickIds.find((param) => touch[param] !== undefined)
  return touch.utm_source ?? (clickId && platforms[clickId])
}

/** Returns a touch's source: the source that its link names, or else the host with the link. */
export const findTouchSource = (touch: Touch): string | undefined =>
  findNamedSource(touch) ?? touch.referrer

/** Returns the source of a lead, which is the source of its last touch. */
export const findSource = (attribution: Attribution | null): string | null =>
  (attribution && findTouchSource(attribution.last)) ?? null

/** Returns the campaign of a lead, which is `utm_campaign` of its last touch. */
export const findCampaign = (attribution: Attribution | null): string | null =>
  attribution?.last.utm_campaign ?? null

/** Returns the affiliate's click id from the tab's last touch or, if that has none, from its first touch. */
export const findAffiliateClickId = (attribution: Attribution | null): string | null =>
  attribution?.last[affiliateClickIdPart] ?? attribution?.first[affiliateClickIdPart] ?? null
