import { STATUS_CODES } from 'node:http'
import type { Context, ErrorHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Logger } from 'pino'
import { apiPrefix, type Problem, problemContentType } from '#contract/api-constants.ts'
import { sanitizeError } from '#server/platform/faults/sanitize-error.ts'
import { makeFailureLogs } from '#server/platform/observability/failure-log.ts'
import { isAborted } from './request-head.ts'

/** Makes an error reply of the type `application/problem+json` (RFC 9457). */
export const makeProblemReply = (
  status: ContentfulStatusCode,
  detail: string,
  more: Pick<Problem, 'errors' | 'challenge'> = {},
): Reply => {
  const title = STATUS_CODES[status] ?? 'Error'
  const body: Problem = { type: 'about:blank', title, status, detail, ...more }
  return {
    status,
    headers: { 'content-type': problemContentType },
    body: JSON.stringify(body),
  }
}

export const sendProblem = (c: Context, status: ContentfulStatusCode, detail: string) =>
  sendReply(c, makeProblemReply(status, detail))

export const serverErrorReply = makeProblemReply(
  500,
  'Something went wrong on our side. Please try again.',
)

/** A reply of our own API, before Hono makes a response of it. */
export interface Reply {
  readonly status: ContentfulStatusCode
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const makeJsonReply = (status: ContentfulStatusCode, value: object): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})

export const addRetryAfter = (seconds: number, reply: Reply): Reply => ({
  ...reply,
  headers: { ...reply.headers, 'retry-after': String(seconds) },
})

export const sendReply = (c: Context, { status, headers, body }: Reply) =>
  c.body(body, status, headers)

/**
 * Redirects a URL with trailing slashes to the URL without them; only the page `/` ends with a slash. After a 308 the
 * browser repeats a POST. Hono's own middleware answers 301 and removes only one slash.
 */
export const trimTrailingSlash = createMiddleware(async (c, next) => {
  // The router decodes the path, and browsers read `/\host` and `//host` as another site, so the redirect uses the URL.
  const { pathname, search } = new URL(c.req.url)
  if (pathname === '/' || !pathname.endsWith('/') || pathname.startsWith(`${apiPrefix}/`)) {
    return next()
  }
  c.header('Cache-Control', 'public, max-age=86400')
  return c.redirect(`/${pathname.split('/').filter(Boolean).join('/')}${search}`, 308)
})

/**
 * Makes the handler of unexpected errors. The log reports each kind of error at most once a minute: while the database
 * is unavailable, every request for a thank-you page fails.
 */
export const makeErrorHandler = (log: Logger): ErrorHandler => {
  const failureLogOf = makeFailureLogs(log, 'request failed')
  return (error, c) => {
    if (isAborted(c)) return c.body(null, 400)
    const where = { method: c.req.method, route: c.req.routePath }
    failureLogOf([...Object.values(where), identifyError(error)].join(' ')).failed(error, where)
    return c.req.path.startsWith(`${apiPrefix}/`)
      ? sendReply(c, serverErrorReply)
      : c.text(
          'Something went wrong on our side. Please go back and try again: nothing was lost.',
          500,
        )
  }
}

/** Identifies a kind of error by its name, code and place in the code. */
function identifyError(error: unknown): string {
  const { name, code, stack } = sanitizeError(error)
  return [name, code, String(stack).split('\n', 1)].join(' ')
}
