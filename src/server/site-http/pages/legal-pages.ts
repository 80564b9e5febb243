import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { privacyPolicy } from '#content/legal/privacy-policy.ts'
import { privacyRightsRequest } from '#content/legal/privacy-rights-request.ts'
import { termsConditions } from '#content/legal/terms-conditions.ts'
import type { PageCache } from '#server/http/caching/page-cache.ts'
import { renderLegal } from '#site/render.tsx'
import type { PageContext } from '#site/shell/document.tsx'
import { ownCookies } from '../cookies/own-cookies.ts'

const texts = {
  '/information/privacy-policy': privacyPolicy,
  '/information/terms-conditions': termsConditions,
  '/information/privacy-rights-request': privacyRightsRequest,
}

export const legalPaths = Object.keys(texts)

/** The static pages (section 2). */
export function legalPages(cache: PageCache, context: PageContext) {
  const names = { ...context.names, cookies: ownCookies(context.siteOrigin) }
  const routes = new Hono()
  for (const [path, write] of Object.entries(texts)) {
    routes.get(path, etag(), (c) =>
      cache.send(c, path, () => renderLegal(context, path, write(names))),
    )
  }
  return routes
}
