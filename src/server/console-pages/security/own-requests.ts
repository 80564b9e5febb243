import { timingSafeEqual } from 'node:crypto'
import { createMiddleware } from 'hono/factory'
import { hashOf } from '#server/operators/secrets.ts'
import { headOf, type RequestHead } from '#server/platform/http/request-head.ts'
import type { ConsoleContext, ConsoleEnv } from '../console-env.ts'

/** The form's field and the call's header that repeat the token. */
export const tokenField = 'token'
export const tokenHeader = 'x-console-token'

/** Of the cookie's secret, which no page can read. */
export const tokenOf = (secret: string): string => hashOf(`form ${secret}`)

/**
 * Lets in what the address bar, a link or the console itself asks for. What another page embeds or fetches is refused
 * before it is looked at, one of another port of the same machine included, which has the same cookies.
 */
export const readByOwnPages = createMiddleware(async (c, next) => {
  const head = headOf(c)
  const site = head.header('sec-fetch-site')
  if (site === undefined || site === 'same-origin' || site === 'none' || isVisit(head))
    return next()
  return c.text('The console is shown in its own window alone.', 403)
})

/** A link was followed to here. */
const isVisit = ({ header }: RequestHead): boolean =>
  header('sec-fetch-mode') === 'navigate' && header('sec-fetch-dest') === 'document'

/** Whether one of our own pages asks: browsers send `Origin` with whatever writes. */
export function isFromOwnPage({ header }: RequestHead, origin: string): boolean {
  const site = header('sec-fetch-site')
  return header('origin') === origin && (site === undefined || site === 'same-origin')
}

/**
 * Refuses what writes unless one of our own pages asks, and repeats the token that it was given.
 * @param refuse in a page: an operator sees it who has signed in anew beside a tab that was open
 */
export const writtenByOwnPages = (
  origin: () => string,
  refuse: (c: ConsoleContext) => Response | Promise<Response>,
) =>
  createMiddleware<ConsoleEnv>(async (c, next) => {
    if (isRead(c.req.method)) return next()
    if (isFromOwnPage(headOf(c), origin()) && (await repeatsToken(c))) return next()
    return refuse(c)
  })

export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

async function repeatsToken(c: ConsoleContext): Promise<boolean> {
  const secret = c.get('secret')
  const given = c.req.header(tokenHeader) ?? (await fieldsOf(c))[tokenField]
  if (secret === '' || typeof given !== 'string') return false
  const wanted = Buffer.from(tokenOf(secret))
  const found = Buffer.from(given)
  return found.length === wanted.length && timingSafeEqual(found, wanted)
}

/** What cannot be read as a form has no token. */
const fieldsOf = (c: ConsoleContext): Promise<Readonly<Record<string, unknown>>> =>
  c.req.parseBody().catch(() => ({}))
