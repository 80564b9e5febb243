import type { Hono } from 'hono'
import type { ConsoleContext, ConsoleEnv } from './console-env.ts'

/** What belongs to the body that came, and not to the one that goes on. */
const ofBody = ['content-length', 'content-encoding', 'transfer-encoding']

/** Posts a form that was kept, in the name of who asks now: all that a form is asked, it is asked, too. */
export const makePostAgain =
  (routes: Pick<Hono<ConsoleEnv>, 'fetch'>, origin: () => string) =>
  async (c: ConsoleContext, path: string, body: string): Promise<Response> => {
    const headers = new Headers(c.req.raw.headers)
    for (const name of ofBody) headers.delete(name)
    headers.set('content-type', 'application/x-www-form-urlencoded')
    return routes.fetch(new Request(origin() + path, { method: 'POST', headers, body }), c.env)
  }
