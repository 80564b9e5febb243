import { Hono } from 'hono'
import { legalPaths } from '#content/legal/legal-paths.ts'
import { areaPath, areas } from '#domain/area.ts'

const paths = [...areas.map(areaPath), ...legalPaths]

/** What search engines ask for. */
export function robots(siteOrigin: string) {
  const urls = paths.map((path) => `<url><loc>${siteOrigin}${path}</loc></url>`).join('')
  return new Hono()
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
}
