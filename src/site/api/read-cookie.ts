export function readCookie(name: string): string | undefined {
  for (const pair of document.cookie.split('; ')) {
    if (pair.startsWith(`${name}=`)) return decode(pair.slice(name.length + 1))
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
