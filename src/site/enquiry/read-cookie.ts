import { hostCookiePrefix, xsrfHostCookie } from '#contract/api-constants.ts'

/** Reads a cookie by its HTTPS name, which no other host can set, or behind some proxies by its plain name. */
export const readCookie = (name: string): string | undefined =>
  findCookie(findCookie(xsrfHostCookie) ? hostCookiePrefix + name : name)

function findCookie(name: string): string | undefined {
  const start = `${name}=`
  for (const pair of document.cookie.split('; ')) {
    if (pair.startsWith(start)) return decodeValue(pair.slice(start.length))
  }
  return undefined
}

/** Decodes a cookie's value. Another host of the domain may set a badly escaped cookie; the form must still send. */
function decodeValue(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
