import {
  type Attribution,
  affiliateClickId,
  formatTouch,
  parseTouch,
  type Touch,
} from '#domain/lead/attribution.ts'
import { type RequestHead, readReferer } from '#server/platform/http/request-head.ts'
import { refusesTracking } from './new-lead.ts'

/**
 * Reads the attribution that a form or call has sent.
 *
 * @param text see `attributionField`; undefined if nothing was sent, as by a page that was opened before an upgrade
 */
export function parseAttribution(head: RequestHead, text: string | undefined): Attribution | null {
  if (text === undefined) return null
  const read = (query: string): Touch =>
    parseTouch(new URLSearchParams(query), !refusesTracking(head))
  const [first = '', last = first] = text.split(' ')
  return { first: read(first), last: read(last) }
}

/**
 * Returns the value of the form's attribution field for a visit: one touch for a visit from a link or ad, two equal
 * touches if the visitor only changed to another page, and nothing for a direct visit. Without JavaScript, a link from
 * the landing page keeps that page's parameters, because the browser sends that page's address.
 *
 * @param query the parameters of the page's address
 * @param origin the site's own
 * @param clickIdParam the parameter with the affiliate's id of the click, in any case
 */
export function readVisitAttribution(
  head: RequestHead,
  query: URLSearchParams,
  origin: string,
  clickIdParam: string,
): string {
  const touchOf = (params: URLSearchParams, referrer = '') => {
    const wanted = clickIdParam.toLowerCase()
    const [, clickId = ''] = [...params].find(([name]) => name.toLowerCase() === wanted) ?? []
    // The first value of a name counts, so the address can set neither.
    const own = [
      ['referrer', referrer],
      [affiliateClickId, clickId],
    ] as const
    return formatTouch(parseTouch([...own, ...params], !refusesTracking(head)))
  }
  const referer = readReferer(head, origin)
  if (!referer?.isOwn) return touchOf(query, referer?.url.hostname)
  const before = touchOf(referer.url.searchParams)
  return touchOf(query) || (before && `${before} ${before}`)
}
