import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { mostBodyBytes } from './most-body-bytes.ts'
import { type Visit, visitOf } from './visit.ts'

/**
 * Refuses a body that is too long. Hono's own way looks at the body's stream first, and for that a whole Request is
 * made: half the time that accepting a lead took.
 */
export function limitBody(refuse: (c: Context) => Response) {
  const counted = bodyLimit({ maxSize: mostBodyBytes, onError: refuse })
  return createMiddleware(async (c, next) => {
    const visit = visitOf(c)
    if (announcesShortBody(visit)) return next()
    return isInPieces(visit) ? counted(c, next) : refuse(c)
  })
}

const isInPieces = (visit: Visit): boolean => visit.header('transfer-encoding') !== undefined

/** Node holds the client to the length that it has announced. */
export const announcesShortBody = (visit: Visit): boolean =>
  !isInPieces(visit) && Number(visit.header('content-length') ?? 0) <= mostBodyBytes
