import { createMiddleware } from 'hono/factory'
import type { RefusedSignIn } from '../console-metrics.ts'

/** Counts whom a way to sign in has not let in. */
export const countRefused = (count: (reason: RefusedSignIn) => void) =>
  createMiddleware(async (c, next) => {
    await next()
    if (c.res.status === 429) count('slowed')
    else if (c.res.status === 403) count('refused')
  })
