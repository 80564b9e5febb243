import { toPlainLineUpTo } from '../text/plain-line.ts'

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

/** The ids by which an ad platform or an affiliate names one click. */
export const clickIdParams = [
  ...(['gclid', 'gbraid', 'wbraid', 'fbclid', 'msclkid', 'ttclid'] as const),
  affiliateClickIdPart,
] as const

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

const maxPartLength = 200

/**
 * Reads a touch from untrusted names and values. Names match in any case, and the first value of a name counts. Values
 * become plain lines of at most 200 characters. Empty values are left out.
 * @param keepsClickIds false if the browser asks not to be tracked
 */
export function parseTouch(
  pairs: Iterable<readonly [name: string, value: string]>,
  keepsClickIds: boolean,
): Touch {
  const values = new Map<string, string>()
  for (const [name, value] of pairs) {
    const key = name.toLowerCase()
    if (!values.has(key)) values.set(key, value)
  }
  const parts: readonly TouchPart[] = keepsClickIds ? touchParts : partsWithoutClickIds
  return Object.fromEntries(
    parts
      .map((part) => [part, toPlainLineUpTo(values.get(part) ?? '', maxPartLength)] as const)
      .filter(([, value]) => value !== ''),
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

/** Returns the source of a lead, which is `utm_source` of its last touch or else the host of the page with the link. */
export const findSource = (attribution: Attribution | null): string | null =>
  attribution?.last.utm_source ?? attribution?.last.referrer ?? null

/** Returns the campaign of a lead, which is `utm_campaign` of its last touch. */
export const findCampaign = (attribution: Attribution | null): string | null =>
  attribution?.last.utm_campaign ?? null

/** Returns the affiliate's click id from the tab's last touch or, if that has none, from its first touch. */
export const findAffiliateClickId = (attribution: Attribution | null): string | null =>
  attribution?.last[affiliateClickIdPart] ?? attribution?.first[affiliateClickIdPart] ?? null
