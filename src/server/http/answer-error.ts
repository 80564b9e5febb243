import type { ErrorHandler } from 'hono'
import type { Logger } from 'pino'
import { apiPrefix } from '#contract/own-api.ts'
import { isCutOff } from './connections/is-cut-off.ts'
import { ourFault } from './problem.ts'
import { send } from './reply.ts'

/** Answers what nobody expected: its words are for the log alone. */
export const answerError =
  (log: Logger): ErrorHandler =>
  (error, c) => {
    if (isCutOff(c)) return c.body(null, 400)
    log.error({ err: error, method: c.req.method, route: c.req.routePath }, 'request failed')
    return c.req.path.startsWith(`${apiPrefix}/`)
      ? send(c, ourFault)
      : c.text(
          'Something went wrong on our side. Please go back and try again: nothing was lost.',
          500,
        )
  }
