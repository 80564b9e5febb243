import { createMiddleware } from 'hono/factory'
import type { ConsoleEnv } from '../console-env.ts'
import { byItselfHeader } from '../security/require-session.ts'
import type { LiveStreams } from './live-streams.ts'

/**
 * Marks a page before it is read, so that it misses nothing between then and its stream. What a post answers has no mark: it
 * shows what is to stay, such as a person who was revealed.
 */
export const markPage = (live: LiveStreams) =>
  createMiddleware<ConsoleEnv>(async (c, next) => {
    if (c.req.method === 'GET' && c.req.header(byItselfHeader) === undefined) {
      // Without it a page is as it was before it could follow.
      c.set('liveMark', await live.mark().catch(() => undefined))
    }
    return next()
  })
