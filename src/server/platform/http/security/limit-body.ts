import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { headOf, type RequestHead } from '../request-head.ts'

/** The longest body that is read, of an API call and of a posted form. */
export const mostBodyBytes = 64 * 1024

/**
 * Refuses a body that is too long. Hono's own way looks at the body's stream first, and for that a whole Request is
 * made: half the time that accepting a lead took.
 */
export function limitBody(refuse: (c: Context) => Response) {
  const counted = bodyLimit({ maxSize: mostBodyBytes, onError: refuse })
  return createMiddleware(async (c, next) => {
    const head = headOf(c)
    if (announcesShortBody(head)) return next()
    return isInPieces(head) ? counted(c, next) : refuse(c)
  })
}

const isInPieces = (head: RequestHead): boolean => head.header('transfer-encoding') !== undefined

/** Node holds the client to the length that it has announced. */
const announcesShortBody = (head: RequestHead): boolean =>
  !isInPieces(head) && Number(head.header('content-length') ?? 0) <= mostBodyBytes
