import { createMiddleware } from 'hono/factory'

/** PostgreSQL has no text with U+0000 in it: nothing has such an address. */
export const storableAddress = createMiddleware(async (c, next) =>
  c.req.url.includes('%00') ? c.text('There is nothing at this address.', 400) : next(),
)
