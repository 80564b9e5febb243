import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { createMiddleware } from 'hono/factory'
import { legalPaths } from '#content/legal/legal-paths.ts'
import { areaPath, areas } from '#domain/area.ts'
import type { PageContext } from '#site/shell/document.tsx'
import { llmsText } from './llms-text.ts'

const paths = [...areas.map(areaPath), ...legalPaths]

/** The files that search engines and AI agents ask for. */
export function robots(context: () => PageContext) {
  const { siteOrigin } = context()
  const urls = paths.map((path) => `<url><loc>${siteOrigin}${path}</loc></url>`).join('')
  return new Hono()
    .on('GET', ['/robots.txt', '/sitemap.xml', '/llms.txt'], etag(), keptForAnHour)
    .get('/robots.txt', (c) =>
      c.text(`User-agent: *\nDisallow: /api/\n\nSitemap: ${siteOrigin}/sitemap.xml\n`),
    )
    .get('/sitemap.xml', (c) =>
      c.body(
        `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>`,
        200,
        { 'content-type': 'application/xml; charset=utf-8' },
      ),
    )
    .get('/llms.txt', (c) => c.text(llmsText(context())))
}

const keptForAnHour = createMiddleware(async (c, next) => {
  await next()
  c.header('Cache-Control', 'public, max-age=3600')
})
