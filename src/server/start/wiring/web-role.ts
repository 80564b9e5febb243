import type { Logger } from 'pino'
import { makeDisclosure } from '#content/disclosure.ts'
import type { SiteTexts } from '#content/site-texts.ts'
import type { Program } from '#domain/catalogue/catalogue.ts'
import { chooseIp } from '#domain/lead/distributor-lead.ts'
import { fillPlaceholders } from '#server/content/placeholders.ts'
import { makeNetworkCheck, makeProofOfWork } from '#server/enquiries/proof-of-work.ts'
import { makeRateLimits } from '#server/enquiries/rate-limits.ts'
import { makeSubmitEnquiry } from '#server/enquiries/submit-enquiry.ts'
import { readConversions } from '#server/leads/read-conversions.ts'
import { makeAddressServices } from '#server/lookups/address-services.ts'
import { makeVisitReports } from '#server/measuring/visit-reports.ts'
import { isPublished } from '#server/platform/http/assets.ts'
import { makeFindOrigin, makeIsSameOrigin } from '#server/platform/http/origin.ts'
import { makeVisitorIp } from '#server/platform/http/visitor-ip.ts'
import { makeSiteApp } from '#server/site-pages/app.ts'
import { isSecure, makeCookieNames } from '#server/site-pages/cookies.ts'
import type { PageContext } from '#site/shell/document.tsx'
import type { PageAssets } from '#site/shell/page-assets.ts'
import type { SharedDependencies } from './shared-dependencies.ts'

export interface SiteResources {
  /** The programs that are offered at the start. */
  readonly programs: readonly Program[]
  /** The operator's texts at the start. */
  readonly words: SiteTexts
  readonly assets: PageAssets
  /** The folder of the built scripts; undefined in development. */
  readonly clientFolder: string | undefined
}

/** Serves visitors and monitors: pages, our own API, health and metrics. */
export function makeWebRole(
  dependencies: SharedDependencies,
  site: SiteResources,
  onDeliveryDue: () => void,
) {
  const { settings, store, outside, metrics, log, clock } = dependencies
  const { assets } = site
  const { isSiteOriginSet, names, fallbackIp } = settings
  const findOrigin = makeFindOrigin(settings)
  const shownDisclosure = makeDisclosure(names.school)
  const visitorIp = makeVisitorIp(settings.trustedProxies)
  const onRefused = metrics.countLimited
  const rateLimits = makeRateLimits(settings.rateLimits, { visitorIp, log, onRefused })
  let isDraining = false
  let { programs } = site
  // The privacy policy names the cookies, which have other names over https.
  const fill = (words: SiteTexts) => ({
    plain: fillPlaceholders(words, names, makeCookieNames('http:')),
    secure: fillPlaceholders(words, names, makeCookieNames('https:')),
  })
  let words = fill(site.words)
  const contextAt = (siteOrigin: string): PageContext => ({
    assets,
    names,
    words: isSecure(siteOrigin) ? words.secure : words.plain,
    siteOrigin,
  })
  void logUnpublishedAssets(settings.assetsDir, assets.formScript, log)
  const visitReports = makeVisitReports({ ...store, ...rateLimits, clock, log })
  const { forgetPages, ...web } = makeSiteApp({
    visitReports,
    ...rateLimits,
    context: (head) => contextAt(findOrigin(head)),
    sharedContext: () => contextAt(settings.siteOrigin),
    findOrigin,
    isSiteOriginSet,
    isHttpsOnly: isSecure(settings.siteOrigin),
    programs: () => programs,
    clock,
    visitorIp,
    log,
    networkCheck: makeNetworkCheck({
      networkLoad: rateLimits.networkLoad,
      proofOfWork: makeProofOfWork({
        secret: () => store.sharedSecret('proof of work'),
        clock,
      }),
    }),
    currentYear: () => new Date(clock()).getUTCFullYear(),
    disclosure: shownDisclosure,
    pixels: outside.pixels,
    affiliateParam: settings.affiliateParam,
    clickIdParam: settings.clickIdParam,
    conversionsPassword: settings.conversionsPassword,
    readConversions: () => readConversions(store.database.db, clock()),
    clientFolder: site.clientFolder,
    publishedAssets: settings.assetsDir,
    metrics: metrics.registry,
    checkStore: dependencies.checkStore,
    readBreaker: store.breaker.read,
    isDraining: () => isDraining,
    affiliateOf: store.archive.affiliateOf,
    isSameOrigin: makeIsSameOrigin(findOrigin, isSiteOriginSet),
    lookUpIp: async (ip) => chooseIp((await outside.lookUpIp(ip)) ?? ip, fallbackIp),
    onTurnedAway: (why) =>
      why === 'challenge' ? metrics.countLimited(why) : metrics.countRefused(why),
    addressServices: makeAddressServices({ ...outside, log }),
    submit: makeSubmitEnquiry({
      intake: store.intake,
      disclosure: shownDisclosure,
      clock,
      visitorIp,
      findOrigin,
      log,
      metrics,
      onDeliveryDue,
    }),
  })
  return {
    ...web,
    visitReports,
    onAnswered: metrics.countResponse,
    onConnectionRefused: () => metrics.countLimited('connection'),
    programs: () => programs,
    /** Offers other programs from now on, and forgets the cached pages, which list programs. */
    offer: (newPrograms: readonly Program[]) => {
      programs = newPrograms
      forgetPages()
    },
    /** Uses other texts and colors on all pages from now on. */
    say: (newWords: SiteTexts) => {
      words = fill(newWords)
      forgetPages()
    },
    /** Makes `/readyz` answer 503 from now on. */
    drain: () => {
      isDraining = true
    },
  }
}

async function logUnpublishedAssets(dir: string | undefined, script: string, log: Logger) {
  if (dir === undefined || (await isPublished(script, dir))) return
  log.warn(
    { dir },
    'ASSETS_DIR lacks the browser files of this release: run node deploy/publish-assets.mjs',
  )
}
