import { hostCookiePrefix, xsrfHostCookie } from '#contract/api-constants.ts'

/**
 * Reads a cookie under its https name, which no other host can set, or else under its plain name, which the server uses
 * behind a proxy that doesn't report https.
 *
 * @param name the cookie's name over http
 */
export const readCookie = (name: string): string | undefined =>
  findCookie(findCookie(xsrfHostCookie) ? hostCookiePrefix + name : name)

function findCookie(name: string): string | undefined {
  const start = `${name}=`
  for (const pair of document.cookie.split('; ')) {
    if (pair.startsWith(start)) return decodeValue(pair.slice(start.length))
  }
  return undefined
}

/** Another host of the domain may set a badly escaped value, which must not stop an enquiry. */
function decodeValue(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
