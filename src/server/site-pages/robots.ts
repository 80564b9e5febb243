import { type Context, Hono } from 'hono'
import { etag } from 'hono/etag'
import { createMiddleware } from 'hono/factory'
import { legalPaths } from '#content/legal/legal-paths.ts'
import { areaPath, areas } from '#domain/area.ts'
import { headOf, type RequestHead } from '#server/platform/http/request-head.ts'
import type { PageContext } from '#site/shell/document.tsx'
import { llmsText } from './llms-text.ts'

const paths = [...areas.map(areaPath), ...legalPaths]

interface RobotsPorts {
  readonly context: (head: RequestHead) => PageContext
  readonly isSiteOriginSet: boolean
}

/** The files that search engines and AI agents ask for. */
export function robots({ context, isSiteOriginSet }: RobotsPorts) {
  const originOf = (c: Context) => context(headOf(c)).siteOrigin
  const urls = (origin: string) =>
    paths.map((path) => `<url><loc>${origin}${path}</loc></url>`).join('')
  return new Hono()
    .on('GET', ['/robots.txt', '/sitemap.xml', '/llms.txt'], etag(), keptForAnHour(isSiteOriginSet))
    .get('/robots.txt', (c) =>
      c.text(`User-agent: *\nDisallow: /api/\n\nSitemap: ${originOf(c)}/sitemap.xml\n`),
    )
    .get('/sitemap.xml', (c) =>
      c.body(
        `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls(originOf(c))}</urlset>`,
        200,
        { 'content-type': 'application/xml; charset=utf-8' },
      ),
    )
    .get('/llms.txt', (c) => c.text(llmsText(context(headOf(c)))))
}

/** A shared cache must not keep a host that one visitor has named. */
const keptForAnHour = (isSiteOriginSet: boolean) =>
  createMiddleware(async (c, next) => {
    await next()
    c.header('Cache-Control', isSiteOriginSet ? 'public, max-age=3600' : 'no-store')
  })
