import { createMiddleware } from 'hono/factory'
import { areSecretsEqual } from '#server/operators/secrets.ts'
import { type RequestHead, toRequestHead } from '#server/platform/http/request-head.ts'
import { type ConsoleContext, type ConsoleEnv, makeFormToken } from '../console-services.ts'
import { readRawFields } from '../read-form.ts'

/** The form field and the API header that contain the form token. */
const tokenField = 'token'
const tokenHeader = 'x-console-token'

/**
 * Serves the console only under its own host name. With DNS rebinding, the name of a foreign page could otherwise
 * resolve to this machine and have the console's origin.
 */
export const requireOwnHost = (origin: () => string) =>
  createMiddleware(async (c, next) => {
    const own = new URL(origin())
    if (c.req.header('host')?.toLowerCase() === own.host) return next()
    return c.text(`Open the console at ${own.origin}.`, 421)
  })

/** Refuses addresses that contain U+0000, which PostgreSQL cannot store. */
export const rejectNullCharacters = createMiddleware(async (c, next) =>
  c.req.url.includes('%00') ? c.text('There is no page at this address.', 400) : next(),
)

/**
 * Accepts requests from the address bar, a link or the console itself. Refuses requests that another page embeds or
 * fetches, even a page on another port of this machine, because ports share cookies.
 */
export const rejectCrossSiteReads = createMiddleware(async (c, next) => {
  const head = toRequestHead(c)
  const site = head.header('sec-fetch-site')
  if (site === undefined || site === 'same-origin' || site === 'none' || isNavigation(head))
    return next()
  return c.text('The console opens in its own window only.', 403)
})

/** Whether the request follows a link. */
const isNavigation = ({ header }: RequestHead): boolean =>
  header('sec-fetch-mode') === 'navigate' && header('sec-fetch-dest') === 'document'

/** Whether a page of the console sends the request. Browsers send `Origin` with every request that writes. */
function isSameOrigin({ header }: RequestHead, origin: string): boolean {
  const site = header('sec-fetch-site')
  return header('origin') === origin && (site === undefined || site === 'same-origin')
}

/**
 * Refuses requests that write, unless a page of the console sends them with its form token.
 * @param refuse makes the reply, which operators see if they signed in again in another tab
 */
export const requireSameOriginWrites = (
  origin: () => string,
  refuse: (c: ConsoleContext) => Response | Promise<Response>,
) =>
  createMiddleware<ConsoleEnv>(async (c, next) => {
    if (isSafeMethod(c.req.method)) return next()
    if (isSameOrigin(toRequestHead(c), origin()) && (await hasMatchingToken(c))) return next()
    return refuse(c)
  })

export const isSafeMethod = (method: string): boolean => method === 'GET' || method === 'HEAD'

async function hasMatchingToken(c: ConsoleContext): Promise<boolean> {
  const secret = c.get('secret')
  const given = c.req.header(tokenHeader) ?? (await readRawFields(c))[tokenField]
  return secret !== '' && typeof given === 'string' && areSecretsEqual(given, makeFormToken(secret))
}
