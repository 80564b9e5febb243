import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { headOf } from '../request-head.ts'

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
