import { hostPrefix, secureXsrfCookie } from '#contract/own-api.ts'

/**
 * A server that knows it is reached over https sets a token that no other host can set, and names its other cookies alike.
 * One behind a proxy that does not say so has the plain names, on an https page too.
 * @param name of one of our cookies, as it is over http
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

/** Another site of the same domain may set what is not escaped: that must not stop an enquiry. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
