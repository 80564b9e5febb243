import {
  type Attribution,
  affiliateClickIdPart,
  formatTouch,
  parseTouch,
  type Touch,
  toParamName,
} from '#domain/lead/attribution.ts'
import {
  type RequestHead,
  readReferer,
  refusesTracking,
} from '#server/platform/http/request-head.ts'

/** @param text the form's attribution field; undefined if a page from before an upgrade has no such field */
export function parseAttribution(head: RequestHead, text: string | undefined): Attribution | null {
  if (text === undefined) return null
  const read = (query: string): Touch =>
    parseTouch(new URLSearchParams(query), !refusesTracking(head))
  const [first = '', last = first] = text.split(' ')
  return { first: read(first), last: read(last) }
}

/**
 * Returns the value of the form's attribution field: one touch for a visit from a link or ad, two equal touches if the
 * visitor comes from another page of the site, and nothing for a direct visit. Without JavaScript, the browser's
 * Referer header keeps the parameters of the previous page.
 * @param query the parameters of the page's URL
 * @param origin the site's origin
 * @param clickIdParam the parameter with the affiliate's id of the click, in upper or lower case
 */
export function readVisitAttribution(
  head: RequestHead,
  query: URLSearchParams,
  origin: string,
  clickIdParam: string,
): string {
  const touchOf = (params: URLSearchParams, referrer = '') => {
    const wanted = clickIdParam.toLowerCase()
    const pairs = [...params].flatMap(([name, value]) => {
      const param = toParamName(name)
      // A link must not make up a referrer, nor a click id under another name than the setting's.
      const isOwn = param === 'referrer' || param === affiliateClickIdPart
      const clickId = param === wanted ? [[affiliateClickIdPart, value] as const] : []
      return isOwn ? clickId : [...clickId, [param, value] as const]
    })
    return formatTouch(parseTouch([['referrer', referrer], ...pairs], !refusesTracking(head)))
  }
  const referer = readReferer(head, origin)
  if (!referer?.isOwn) return touchOf(query, referer?.url.hostname)
  const before = touchOf(referer.url.searchParams)
  return touchOf(query) || (before && `${before} ${before}`)
}
