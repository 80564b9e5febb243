import type { ErrorHandler } from 'hono'
import type { Logger } from 'pino'
import { apiPrefix } from '#contract/api-constants.ts'
import { sanitizeError } from '../faults/sanitize-error.ts'
import { makeFailureLogs } from '../observability/failure-log.ts'
import { sendReply, serverErrorReply } from './replies.ts'
import { isAborted } from './request-head.ts'

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
