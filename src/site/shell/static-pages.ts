import { type Context, Hono } from 'hono'
import { etag } from 'hono/etag'
import { createMiddleware } from 'hono/factory'
import { legalPaths } from '#content/site-texts.ts'
import { areaPath, areas } from '#domain/area.ts'
import { toRequestHead } from '#server/platform/http/request-head.ts'
import type { SiteServices } from '#site/site-services.ts'
import { renderLlmsText } from './llms-text.ts'

const publicPaths = [...areas.map(areaPath), ...legalPaths]

/** Serves the files for crawlers and browsers. Shared caches keep the responses, so they get no cookies. */
export function siteFileRoutes({ context, settings, programs }: SiteServices) {
  const originOf = (c: Context) => context(toRequestHead(c)).siteOrigin
  const urls = (origin: string) =>
    publicPaths.map((path) => `<url><loc>${origin}${path}</loc></url>`).join('')
  return new Hono()
    .on(
      'GET',
      ['/robots.txt', '/sitemap.xml', '/llms.txt'],
      etag(),
      cacheForAnHour(settings.isSiteOriginSet),
    )
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
    .get('/llms.txt', (c) => c.text(renderLlmsText(context(toRequestHead(c)), programs())))
    .get('/.well-known/gpc.json', (c) => c.json(gpcStatement, 200, cacheForADay))
    .get(speculationRulesPath, (c) =>
      c.body(JSON.stringify(prefetchRules), 200, {
        ...cacheForADay,
        'content-type': 'application/speculationrules+json',
      }),
    )
}

const cacheForADay = { 'cache-control': 'public, max-age=86400' }

/** A shared cache must not store a response that contains a visitor's Host header. */
const cacheForAnHour = (isSiteOriginSet: boolean) =>
  createMiddleware(async (c, next) => {
    await next()
    c.header('Cache-Control', isSiteOriginSet ? 'public, max-age=3600' : 'no-store')
  })

const speculationRulesPath = '/speculation-rules.json'

const prefetchRules = {
  prefetch: [{ where: { href_matches: '/information/*' }, eagerness: 'moderate' }],
}

/** Names the speculation rules in a header, because the content security policy forbids them in an inline script. */
export const announceSpeculationRules = createMiddleware(async (c, next) => {
  await next()
  if (c.res.headers.get('content-type')?.startsWith('text/html')) {
    c.header('Speculation-Rules', `"${speculationRulesPath}"`)
  }
})

/**
 * Declares that the site honors Global Privacy Control (https://w3c.github.io/gpc/#gpc-support-resource). Change
 * `lastUpdate` when the site handles the signal in another way.
 */
const gpcStatement = { gpc: true, lastUpdate: '2026-11-21' }
