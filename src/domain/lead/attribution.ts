import { toPlainLineUpTo } from '../text/plain-line.ts'

/** The parameters with which an ad or a link names its campaign. */
const campaignParams = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
] as const

/** The affiliate's own id of a click; `CLICK_ID_PARAM` names its parameter. */
export const affiliateClickId = 'click_id'

/** The ids with which an ad platform or an affiliate names one click. */
export const clickIdParams = [
  ...(['gclid', 'gbraid', 'wbraid', 'fbclid', 'msclkid', 'ttclid'] as const),
  affiliateClickId,
] as const

/**
 * The parts of a touch that identify no click, in the order in which pages and exports show them; `referrer` is a host.
 */
export const partsWithoutClickIds = [...campaignParams, 'referrer'] as const

export const touchParts = [...partsWithoutClickIds, ...clickIdParams] as const

export type TouchPart = (typeof touchParts)[number]

/** The campaign parameters, referrer and click ids of a visit's first page; empty for a direct visit. */
export type Touch = Readonly<Partial<Record<TouchPart, string>>>

/** The first and the last touch of a tab (reading 29), equal after one touch. */
export interface Attribution {
  readonly first: Touch
  readonly last: Touch
}

const maxPartLength = 200

/**
 * Reads a touch from untrusted names and values. Names match without regard to case, and the first value of a name
 * counts. Values become plain lines of at most 200 characters; empty values are left out.
 *
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

/** Returns a touch as an address's query, without a question mark; empty for a direct visit. */
export const formatTouch = (touch: Touch): string =>
  touchParts
    .flatMap((part) => {
      const value = touch[part]
      return value === undefined ? [] : [`${part}=${encodeURIComponent(value)}`]
    })
    .join('&')

/** Returns first and last touch as queries with a space between, as the form sends them. */
export const formatAttribution = ({ first, last }: Attribution): string =>
  `${formatTouch(first)} ${formatTouch(last)}`

/** The source of a lead: `utm_source` of its last touch, or else the host of the page with the link. */
export const findSource = (attribution: Attribution | null): string | null =>
  attribution?.last.utm_source ?? attribution?.last.referrer ?? null

/** The campaign of a lead: `utm_campaign` of its last touch. */
export const findCampaign = (attribution: Attribution | null): string | null =>
  attribution?.last.utm_campaign ?? null

/** The affiliate's click id from the tab's last touch or, without one, from its first touch. */
export const findAffiliateClickId = (attribution: Attribution | null): string | null =>
  attribution?.last[affiliateClickId] ?? attribution?.first[affiliateClickId] ?? null
