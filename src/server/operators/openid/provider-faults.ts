/** The fault's word of the protocol or of the library; never its message, which may have a person or a secret in it. */
export function wordOf(error: unknown): string {
  for (const found of [property(error, 'error'), codeOf(error)]) {
    if (typeof found === 'string' && /^[\w-]{1,60}$/.test(found)) return found
  }
  return error instanceof Error ? error.name : 'unknown'
}

/** Nobody answered, or what answered is out of order. */
export function isUnreachable(error: unknown): boolean {
  const word = wordOf(error)
  if (word === 'OAUTH_TIMEOUT' || /^E[A-Z_]+$|^UND_ERR_/.test(word)) return true
  if (error instanceof TypeError && error.message === 'fetch failed') return true
  return [error, property(error, 'cause')].some((told) => Number(property(told, 'status')) >= 500)
}

/** Of a connection that failed the system's code lies deeper. */
function codeOf(error: unknown): unknown {
  const cause = property(error, 'cause')
  return (
    property(property(cause, 'cause'), 'code') ?? property(cause, 'code') ?? property(error, 'code')
  )
}

const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
