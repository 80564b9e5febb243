import { Hono } from 'hono'
import type { Logger } from 'pino'
import type { RateLimits } from '#server/enquiries/rate-limits.ts'
import { answerError } from '#server/platform/http/answer-error.ts'
import { assets, otherReleases } from '#server/platform/http/assets.ts'
import { type HealthPorts, health } from '#server/platform/http/health.ts'
import { PageCache } from '#server/platform/http/page-cache.ts'
import { trimTrailingSlash } from '#server/platform/http/replies.ts'
import { headOf } from '#server/platform/http/request-head.ts'
import { securityHeaders } from '#server/platform/http/security-headers.ts'
import { renderNotFound } from '#site/render.tsx'
import type { PageContext } from '#site/shell/document.tsx'
import { stylesOf } from '#site/shell/page-assets.ts'
import { type ApiPorts, api } from './api.ts'
import { pictureFiles, shownElsewhere } from './assets.ts'
import { makeAffiliate, makeXsrf } from './cookies.ts'
import { type LandingPorts, landing } from './landing.ts'
import { type LeadCallPorts, makeLeadCall } from './lead-call.ts'
import {
  announceSpeculationRules,
  gpcSupport,
  legalPages,
  robots,
  speculationRules,
  webManifest,
} from './static-pages.ts'

export interface AppPorts
  extends LeadCallPorts,
    Omit<ApiPorts, 'leadCall' | 'requireToken'>,
    Omit<LandingPorts, 'cache' | 'affiliateId'>,
    HealthPorts,
    RateLimits {
  /** The current texts: the operator's files may be read again. For what all pages have alike. */
  readonly sharedContext: () => PageContext
  readonly isSiteOriginSet: boolean
  /** Tells browsers to use https only, for a year: sent only if SITE_ORIGIN is https. */
  readonly isHttpsOnly: boolean
  readonly school: string
  readonly affiliateParam: string
  /** Where the built scripts lie; undefined while developing. */
  readonly clientFolder: string | undefined
  /** Where other releases have put theirs. */
  readonly publishedAssets?: string | undefined
  readonly log: Logger
}

/** Everything that the web role serves. */
export function app(ports: AppPorts) {
  const { context, sharedContext, originOf, affiliateParam, clientFolder, log } = ports
  const submit = ports.limitLeads(ports.submit)
  const leadCall = makeLeadCall({ ...ports, submit })
  const affiliate = makeAffiliate(affiliateParam, originOf)
  const cache = new PageCache(sharedContext().siteOrigin)
  const xsrf = makeXsrf(originOf)
  const headersNow = () =>
    securityHeaders({
      styles: stylesOf(sharedContext()),
      script: sharedContext().assets.bootstrapScript,
      imageOrigins: originsOf(Object.values(ports.pixels)),
      isSecure: ports.isHttpsOnly,
    })
  let withHeaders = headersNow()
  const routes = new Hono()

  if (clientFolder !== undefined) {
    routes.use('/social/*', shownElsewhere)
    routes.use((c, next) => withHeaders(c, next))
    routes.route('/', assets(clientFolder))
    routes.route('/', pictureFiles(clientFolder))
    if (ports.publishedAssets !== undefined) routes.use(otherReleases(ports.publishedAssets))
    routes.route('/', webManifest(ports.school))
  }
  routes.use(trimTrailingSlash)
  routes.route('/', health(ports))
  routes.route('/', gpcSupport)
  // Before the cookies: shared caches keep these.
  routes.route('/', speculationRules)
  routes.route('/', robots(context, ports.isSiteOriginSet))
  routes.use(xsrf.issue)
  routes.route('/api', api({ ...ports, leadCall, requireToken: xsrf.require }))
  routes.use(affiliate.keep)
  routes.use(announceSpeculationRules)
  routes.route('/', legalPages(cache, context))
  routes.route('/', landing({ ...ports, submit, cache, affiliateId: affiliate.idOf }))
  routes.notFound((c) => {
    const shown = context(headOf(c))
    return cache.send(c, shown.siteOrigin, 'not found', () => renderNotFound(shown), 404)
  })
  routes.onError(answerError(log))
  return {
    fetch: routes.fetch,
    /** Call after texts, colors or programs have changed. */
    forgetPages: () => {
      // Styles are let in by their hash.
      withHeaders = headersNow()
      cache.forget()
    },
  }
}

const originsOf = (urls: readonly string[]): string[] => [
  ...new Set(urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin)),
]
