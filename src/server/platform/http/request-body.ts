import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { headOf, type RequestHead } from './request-head.ts'

/** The longest body that is read, of an API call and of a posted form. */
export const maxBodyBytes = 64 * 1024

/**
 * Refuses a body that is too long. Hono's own way looks at the body's stream first, and for that a whole Request is
 * made: half the time that accepting a lead took.
 */
export function limitBody(refuse: (c: Context) => Response) {
  const counted = bodyLimit({ maxSize: maxBodyBytes, onError: refuse })
  return createMiddleware(async (c, next) => {
    const head = headOf(c)
    if (announcesShortBody(head)) return next()
    return isInPieces(head) ? counted(c, next) : refuse(c)
  })
}

const isInPieces = (head: RequestHead): boolean => head.header('transfer-encoding') !== undefined

/** Node holds the client to the length that it has announced. */
const announcesShortBody = (head: RequestHead): boolean =>
  !isInPieces(head) && Number(head.header('content-length') ?? 0) <= maxBodyBytes

/** Refuses a body that is packed: nothing here unpacks one, and it would be read as if it were not. */
export const refuseEncodedBody = (refuse: (c: Context) => Response) =>
  createMiddleware(async (c, next) => {
    const codings = (headOf(c).header('content-encoding') ?? '').split(',')
    if (codings.every((coding) => ['', 'identity'].includes(coding.trim().toLowerCase()))) {
      return next()
    }
    // https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3-10
    c.header('Accept-Encoding', 'identity')
    return refuse(c)
  })
