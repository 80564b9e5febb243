import { createMiddleware } from 'hono/factory'
import { type ConsoleContext, type ConsoleEnv, makeFormToken } from '#console/console-services.ts'
import { readRawFields } from '#console/requests/read-form.ts'
import { areSecretsEqual } from '#server/operators/secrets.ts'
import { type RequestHead, toRequestHead } from '#server/platform/http/request-head.ts'

const tokenField = 'token'

/**
 * Serves the console only under its own host name. Without this check, an attacker could point a foreign name at this
 * machine (DNS rebinding), and the attacker's page could read the console.
 */
export const requireOwnHost = (origin: () => string) =>
  createMiddleware(async (c, next) => {
    const own = new URL(origin())
    if (c.req.header('host')?.toLowerCase() === own.host) return next()
    return c.text(`Open the console at ${own.origin}.`, 421)
  })

/** Refuses URLs that contain U+0000, which PostgreSQL cannot store. */
export const rejectNullCharacters = createMiddleware(async (c, next) =>
  c.req.url.includes('%00') ? c.text('There is no page at this URL.', 400) : next(),
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
  return c.text('Open the console in its own window: other pages can’t embed or fetch it.', 403)
})

/** Whether the browser opens a page, for example because the operator follows a link. */
const isNavigation = ({ header }: RequestHead): boolean =>
  header('sec-fetch-mode') === 'navigate' && header('sec-fetch-dest') === 'document'

/** Whether a page of the console sent the request. Browsers send `Origin` with every request that writes. */
function isSameOrigin({ header }: RequestHead, origin: string): boolean {
  const site = header('sec-fetch-site')
  return header('origin') === origin && (site === undefined || site === 'same-origin')
}

/**
 * Refuses each request that writes, unless a page of the console sent it with the session's form token.
 * @param refuse makes the reply; operators see it if they have signed in again in another tab
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
  const given = (await readRawFields(c))[tokenField]
  return secret !== '' && typeof given === 'string' && areSecretsEqual(given, makeFormToken(secret))
}
