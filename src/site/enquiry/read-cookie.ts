import { hostPrefix, secureXsrfCookie } from '#contract/own-api.ts'

/**
 * Over https our cookies have names that no other host can set. Behind a proxy that doesn't report https, the server uses
 * the plain names on an https page too.
 *
 * @param name the cookie's name over http
 */
export const readCookie = (name: string): string | undefined =>
  find(find(secureXsrfCookie) ? hostPrefix + name : name)

function find(name: string): string | undefined {
  const start = `${name}=`
  for (const pair of document.cookie.split('; ')) {
    if (pair.startsWith(start)) return decode(pair.slice(start.length))
  }
  return undefined
}

/** Another site of the domain may set a value that isn't escaped, which must not stop an enquiry. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
