import { Hono } from 'hono'
import { createElement } from 'react'
import type { SiteTexts } from '#content/site-texts.ts'
import {
  findVersionFolderWithFile,
  serveAssets,
  serveFilesOfOtherVersions,
} from '#server/platform/http/assets.ts'
import { healthRoutes } from '#server/platform/http/health.ts'
import { makeErrorHandler, trimTrailingSlash } from '#server/platform/http/replies.ts'
import { toRequestHead } from '#server/platform/http/request-head.ts'
import { makeCspHashSource, setSecurityHeaders } from '#server/platform/http/security-headers.ts'
import { apiRoutes } from '#site/api/api.ts'
import { conversionsRoute } from '#site/api/conversions.ts'
import { landingRoutes } from '#site/landing/landing-routes.tsx'
import { allowCrossOrigin, servePictures } from '#site/shell/assets.ts'
import { isHttpsOrigin } from '#site/shell/cookies.ts'
import { makePageStyles } from '#site/shell/page-assets.ts'
import { announceSpeculationRules, siteFileRoutes } from '#site/shell/static-pages.ts'
import { legalPageRoutes, legalPageStyles, NotFoundPage } from './legal/legal-page.tsx'
import { renderHtml } from './shell/document.tsx'
import { makeSiteServices, type SiteSetup } from './site-services.ts'

/** Makes the visitors' pages and our own API, with health and metrics for monitors. */
export function makeSiteApp(setup: SiteSetup) {
  const { settings, metrics, clientFolder, assets, log } = setup
  let isDraining = false
  const services = makeSiteServices(setup)
  const { cache, context, sharedContext, visitReports, programs, setPrograms } = services
  void logUnpublishedAssets(setup)
  const makeHeaders = () =>
    setSecurityHeaders({
      contentSecurityPolicy: {
        scriptSrc: ["'self'", makeCspHashSource(assets.bootstrapScript)],
        styleSrc: [
          "'self'",
          ...[makePageStyles(sharedContext()), legalPageStyles].map(makeCspHashSource),
        ],
        fontSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', ...listOrigins(Object.values(services.pixels))],
      },
      strictTransportSecurity: isHttpsOrigin(settings.siteOrigin)
        ? 'max-age=31536000; includeSubDomains'
        : false,
      referrerPolicy: 'strict-origin-when-cross-origin',
    })
  let securityHeaders = makeHeaders()
  const routes = new Hono()

  if (clientFolder !== undefined) {
    routes.use('/social/*', allowCrossOrigin)
    routes.use((c, next) => securityHeaders(c, next))
    routes.route('/', serveAssets(clientFolder))
    routes.route('/', servePictures(clientFolder))
    if (settings.assetsDir !== undefined) routes.use(serveFilesOfOtherVersions(settings.assetsDir))
  }
  routes.use(trimTrailingSlash)
  routes.route('/', healthRoutes({ ...services, isDraining: () => isDraining }))
  routes.route('/', conversionsRoute(services))
  routes.route('/', siteFileRoutes(services))
  routes.use(services.xsrf.issue)
  routes.route('/api', apiRoutes(services))
  routes.use(services.affiliate.keep)
  routes.use(announceSpeculationRules)
  routes.route('/', legalPageRoutes(services))
  routes.route('/', landingRoutes(services))
  routes.notFound((c) => {
    const page = context(toRequestHead(c))
    const render = () => renderHtml(createElement(NotFoundPage, { context: page }))
    return cache.send(c, page.siteOrigin, 'not found', render, undefined, 404)
  })
  routes.onError(makeErrorHandler(log))
  return {
    fetch: routes.fetch,
    onAnswered: metrics.countResponse,
    onConnectionRefused: () => metrics.countLimited('connection'),
    visitReports,
    programs,
    disclosureCovers: services.disclosureCovers,
    setPrograms,
    /** Replaces the texts and colors of all pages, and the security headers, which contain the styles' hash. */
    setTexts: (texts: SiteTexts) => {
      services.setTexts(texts)
      securityHeaders = makeHeaders()
    },
    /** Makes `/readyz` answer 503 from now on. */
    drain: () => {
      isDraining = true
    },
  }
}

async function logUnpublishedAssets({ settings, assets, log }: SiteSetup): Promise<void> {
  const dir = settings.assetsDir
  if (dir === undefined || (await findVersionFolderWithFile(assets.formScript, dir))) return
  log.warn(
    { dir },
    'ASSETS_DIR lacks the browser files of this release: run node deploy/publish-assets.mjs',
  )
}

const listOrigins = (urls: readonly string[]): string[] => [
  ...new Set(urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin)),
]
