import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { type RequestHead, toRequestHead } from './request-head.ts'

/** The longest request body that is read, for API calls and posted forms. */
export const maxBodyBytes = 64 * 1024

/**
 * Refuses a body that is too long. Hono's own middleware first reads the body's stream, for which it creates a whole
 * Request: that was half the time of accepting a lead.
 */
export function limitBody(refuse: (c: Context) => Response, maxBytes = maxBodyBytes) {
  const counted = bodyLimit({ maxSize: maxBytes, onError: refuse })
  return createMiddleware(async (c, next) => {
    const head = toRequestHead(c)
    if (declaresShortBody(head, maxBytes)) return next()
    return isChunked(head) ? counted(c, next) : refuse(c)
  })
}

const isChunked = (head: RequestHead): boolean => head.header('transfer-encoding') !== undefined

/** Node makes sure that a client does not send more than it announced. */
const declaresShortBody = (head: RequestHead, maxBytes: number): boolean =>
  !isChunked(head) && Number(head.header('content-length') ?? 0) <= maxBytes

/** Refuses a compressed body: the server does not decompress bodies and would misread it. */
export const refuseEncodedBody = (refuse: (c: Context) => Response) =>
  createMiddleware(async (c, next) => {
    const codings = (toRequestHead(c).header('content-encoding') ?? '').split(',')
    if (codings.every((coding) => ['', 'identity'].includes(coding.trim().toLowerCase()))) {
      return next()
    }
    // https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3-10
    c.header('Accept-Encoding', 'identity')
    return refuse(c)
  })
