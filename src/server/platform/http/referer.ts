import type { RequestHead } from './request-head.ts'

/**
 * Reads the address of the page that a request came from.
 *
 * @param origin the site's own
 * @returns undefined if the browser doesn't tell
 */
export function readReferer(
  head: RequestHead,
  origin: string,
): { readonly url: URL; readonly isOwn: boolean } | undefined {
  const url = URL.parse(head.header('referer') ?? '')
  if (url === null) return undefined
  return { url, isOwn: [head.header('host'), new URL(origin).host].includes(url.host) }
}
