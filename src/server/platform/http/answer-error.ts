import type { ErrorHandler } from 'hono'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { apiPrefix } from '#contract/own-api.ts'
import { toldError } from '../faults/told-error.ts'
import { Trouble } from '../observability/troubles/trouble.ts'
import { isCutOff } from './connections/is-cut-off.ts'
import { ourFault } from './problem.ts'
import { send } from './reply.ts'

/** More kinds than the product has faults. */
const mostKinds = 100

/**
 * Answers what nobody expected: its words are for the log alone, each kind once a minute, as a database that is away
 * meets everybody who looks at a thank-you page.
 */
export const answerError = (log: Logger): ErrorHandler => {
  const troubles = new LRUCache<string, Trouble>({ max: mostKinds })
  const troubleOf = (kind: string): Trouble => {
    const known = troubles.get(kind)
    if (known !== undefined) return known
    const trouble = new Trouble(log, { begins: 'request failed', ends: '' })
    troubles.set(kind, trouble)
    return trouble
  }
  return (error, c) => {
    if (isCutOff(c)) return c.body(null, 400)
    const where = { method: c.req.method, route: c.req.routePath }
    troubleOf([...Object.values(where), kindOf(error)].join(' ')).met(error, where)
    return c.req.path.startsWith(`${apiPrefix}/`)
      ? send(c, ourFault)
      : c.text(
          'Something went wrong on our side. Please go back and try again: nothing was lost.',
          500,
        )
  }
}

/** What it is, and from where in the code. */
function kindOf(error: unknown): string {
  const { name, code, stack } = toldError(error)
  return [name, code, String(stack).split('\n', 1)].join(' ')
}
