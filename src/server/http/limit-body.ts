import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { mostBodyBytes } from './most-body-bytes.ts'

/**
 * Refuses a body that is too long. Hono's own way looks at the body's stream first, and for that a whole Request is
 * made: half the time that accepting a lead took. Where the length is announced, Node holds the client to it.
 */
export function limitBody(refuse: (c: Context) => Response) {
  const counted = bodyLimit({ maxSize: mostBodyBytes, onError: refuse })
  return createMiddleware(async (c, next) => {
    if (c.req.header('transfer-encoding') !== undefined) return counted(c, next)
    return Number(c.req.header('content-length') ?? 0) > mostBodyBytes ? refuse(c) : next()
  })
}
