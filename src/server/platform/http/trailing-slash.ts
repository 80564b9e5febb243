import { createMiddleware } from 'hono/factory'
import { apiPrefix } from '#contract/own-api.ts'

/**
 * 308 to the address without the slashes that it ends with: no page has any but `/` itself. A post is posted again there.
 * Hono's own middleware answers 301 and leaves a second slash where it is.
 */
export const trimTrailingSlash = createMiddleware(async (c, next) => {
  // Not the router's path, which is decoded: browsers read `/\host` and `//host` as another site.
  const { pathname, search } = new URL(c.req.url)
  if (pathname === '/' || !pathname.endsWith('/') || pathname.startsWith(`${apiPrefix}/`)) {
    return next()
  }
  c.header('Cache-Control', 'public, max-age=86400')
  return c.redirect(`/${pathname.split('/').filter(Boolean).join('/')}${search}`, 308)
})
