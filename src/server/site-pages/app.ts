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
  gpcSupportFile,
  legalPages,
  robots,
  speculationRules,
} from './static-pages.ts'

export interface AppPorts
  extends LeadCallPorts,
    Omit<ApiPorts, 'leadCall' | 'requireToken'>,
    Omit<LandingPorts, 'cache' | 'affiliateId'>,
    HealthPorts,
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

export function app(ports: AppPorts) {
  const { context, sharedContext, originOf, affiliateParam, clientFolder, log } = ports
  const submit = ports.limitLeads(ports.submit)
  const leadCall = makeLeadCall({ ...ports, submit })
  const affiliate = makeAffiliate(affiliateParam, originOf)
  const cache = new PageCache()
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
  }
  routes.use(trimTrailingSlash)
  routes.route('/', health(ports))
  routes.route('/', gpcSupportFile)
  // These routes come before the cookies, because shared caches keep their responses.
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
    /** Call this after texts, colors or programs have changed. */
    forgetPages: () => {
      // The security headers list the hash of each page's styles.
      withHeaders = headersNow()
      cache.forget()
    },
  }
}

const originsOf = (urls: readonly string[]): string[] => [
  ...new Set(urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin)),
]
