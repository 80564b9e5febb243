import { hostCookiePrefix, xsrfHostCookie } from '#contract/api-constants.ts'

/** Reads the cookie with its https name, which no other host can set, or else (behind some proxies) the plain name. */
export const readCookie = (name: string): string | undefined =>
  findCookie(findCookie(xsrfHostCookie) ? hostCookiePrefix + name : name)

function findCookie(name: string): string | undefined {
  const start = `${name}=`
  for (const pair of document.cookie.split('; ')) {
    if (pair.startsWith(start)) return decodeValue(pair.slice(start.length))
  }
  return undefined
}

/** Another host of the domain may set a badly escaped cookie; the enquiry must still be sent. */
function decodeValue(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
