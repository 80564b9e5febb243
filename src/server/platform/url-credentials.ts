const notPostgres = 'must be a postgres:// URL'

/**
 * Describes, without quoting it, what is wrong with the URL of a PostgreSQL database; undefined if nothing is. In a URL whose
 * password is not encoded, parsers take a part of the password for the host, the port or the database's name, which messages
 * and logs show.
 */
export function findDatabaseUrlFault(text: string): string | undefined {
  const place = /^postgres(?:ql)?:\/\/(.*)$/is.exec(text)?.[1]
  if (place === undefined) return notPostgres
  const [authority = ''] = place.split(/[/?#]/, 1)
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  const isUnencoded =
    /^[^@/?#]*[@/?#].*@/s.test(place) ||
    /\s/.test(authority) ||
    /\p{Cc}/u.test(place) ||
    // Somebody has encoded the URL's own @, too, so that the host contains the password.
    host.includes('%40') ||
    !isDecodable(place)
  if (isUnencoded) {
    return 'is ambiguous: percent-encode the password (@ as %40, / as %2F, # as %23, ? as %3F, % as %25, a space as %20), and every other @ except the one before the host'
  }
  return URL.canParse(text) ? undefined : notPostgres
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined
  } catch {
    return false
  }
}

/**
 * Whether an http URL has a user name or a password. A slash in an unencoded password ends the URL's host early, so that
 * user name and password look like host and port, which messages show.
 */
export function hasCredentials(text: string): boolean {
  const url = URL.parse(text)
  return (
    Boolean(url?.username || url?.password) ||
    /^https?:[\\/]*(?:\[[^\]]*\]|[^\\/?#@:[]*):\d*[\\/?#].*@/is.test(text)
  )
}
