import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { legalPaths } from '#content/legal/legal-paths.ts'
import type { PageCache } from '#server/platform/http/page-cache.ts'
import { headOf, type RequestHead } from '#server/platform/http/request-head.ts'
import { renderLegal } from '#site/render.tsx'
import type { PageContext } from '#site/shell/document.tsx'

/** The static pages. */
export function legalPages(cache: PageCache, context: (head: RequestHead) => PageContext) {
  const routes = new Hono()
  for (const path of legalPaths) {
    routes.get(path, etag(), (c) => {
      const shown = context(headOf(c))
      return cache.send(c, shown.siteOrigin, path, () => renderLegal(shown, path))
    })
  }
  return routes
}
