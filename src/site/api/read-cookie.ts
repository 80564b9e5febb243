import { hostPrefix } from '#contract/own-api.ts'

/** @param name of one of our cookies, as it is over http */
export function readCookie(name: string): string | undefined {
  const start = `${location.protocol === 'https:' ? hostPrefix : ''}${name}=`
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
