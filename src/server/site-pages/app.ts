import { Hono } from 'hono'
import type { Logger } from 'pino'
import type { RateLimits } from '#server/enquiries/rate-limits.ts'
import { serveAssets, serveOtherReleases } from '#server/platform/http/assets.ts'
import { handleError } from '#server/platform/http/handle-error.ts'
import { type HealthDependencies, healthRoutes } from '#server/platform/http/health.ts'
import { PageCache } from '#server/platform/http/page-cache.ts'
import { trimTrailingSlash } from '#server/platform/http/replies.ts'
import { toRequestHead } from '#server/platform/http/request-head.ts'
import { setSecurityHeaders } from '#server/platform/http/security-headers.ts'
import { renderNotFound } from '#site/render.tsx'
import type { PageContext } from '#site/shell/document.tsx'
import { makePageStyles } from '#site/shell/page-assets.ts'
import { type ApiDependencies, apiRoutes } from './api.ts'
import { allowCrossOrigin, servePictures } from './assets.ts'
import { type ConversionsDependencies, conversionsRoute } from './conversions.ts'
import { makeAffiliateCookie, makeXsrfProtection } from './cookies.ts'
import { type LandingDependencies, landingRoutes } from './landing.ts'
import { type LeadHandlerDependencies, makeLeadHandler } from './lead-handler.ts'
import {
  announceSpeculationRules,
  gpcSupportFile,
  legalPageRoutes,
  robotsRoutes,
  speculationRules,
} from './static-pages.ts'

export interface SiteAppDependencies
  extends LeadHandlerDependencies,
    Omit<ApiDependencies, 'leadCall' | 'requireToken' | 'affiliateId'>,
    Omit<LandingDependencies, 'cache' | 'affiliateId'>,
    HealthDependencies,
    ConversionsDependencies,
    RateLimits {
  /** The current texts, which change when the operator's files are read again, for the parts that all pages share. */
  readonly sharedContext: () => PageContext
  readonly isSiteOriginSet: boolean
  /** True if SITE_ORIGIN is https: the server then tells browsers to use https only, for a year. */
  readonly isHttpsOnly: boolean
  readonly affiliateParam: string
  /** The folder of the built scripts; undefined during development. */
  readonly clientFolder: string | undefined
  /** The folder with the scripts that other releases have published. */
  readonly publishedAssets?: string | undefined
  readonly log: Logger
}

export function makeSiteApp(ports: SiteAppDependencies) {
  const { context, sharedContext, findOrigin, affiliateParam, clientFolder, log } = ports
  const submit = ports.limitLeads(ports.submit)
  const leadCall = makeLeadHandler({ ...ports, submit })
  const affiliate = makeAffiliateCookie(affiliateParam, findOrigin)
  const cache = new PageCache()
  const xsrf = makeXsrfProtection(findOrigin)
  const headersNow = () =>
    setSecurityHeaders({
      styles: makePageStyles(sharedContext()),
      script: sharedContext().assets.bootstrapScript,
      imageOrigins: listOrigins(Object.values(ports.pixels)),
      isSecure: ports.isHttpsOnly,
    })
  let withHeaders = headersNow()
  const routes = new Hono()

  if (clientFolder !== undefined) {
    routes.use('/social/*', allowCrossOrigin)
    routes.use((c, next) => withHeaders(c, next))
    routes.route('/', serveAssets(clientFolder))
    routes.route('/', servePictures(clientFolder))
    if (ports.publishedAssets !== undefined) routes.use(serveOtherReleases(ports.publishedAssets))
  }
  routes.use(trimTrailingSlash)
  routes.route('/', healthRoutes(ports))
  routes.route('/', gpcSupportFile)
  routes.route('/', conversionsRoute(ports))
  // These routes come before the cookies, because shared caches keep their responses.
  routes.route('/', speculationRules)
  routes.route('/', robotsRoutes(context, ports.isSiteOriginSet))
  routes.use(xsrf.issue)
  routes.route(
    '/api',
    apiRoutes({ ...ports, leadCall, requireToken: xsrf.require, affiliateId: affiliate.idOf }),
  )
  routes.use(affiliate.keep)
  routes.use(announceSpeculationRules)
  routes.route('/', legalPageRoutes(cache, context))
  routes.route('/', landingRoutes({ ...ports, submit, cache, affiliateId: affiliate.idOf }))
  routes.notFound((c) => {
    const shown = context(toRequestHead(c))
    return cache.send(c, shown.siteOrigin, 'not found', () => renderNotFound(shown), undefined, 404)
  })
  routes.onError(handleError(log))
  return {
    fetch: routes.fetch,
    /** Call this after texts, colors or programs have changed. */
    forgetPages: () => {
      // The security headers list the hash of each page's styles.
      withHeaders = headersNow()
      cache.forget()
    },
  }
}

const listOrigins = (urls: readonly string[]): string[] => [
  ...new Set(urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin)),
]
