import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { makeSpecifiedDisclosureText, type SiteTexts } from '#content/site-texts.ts'
import type { Program } from '#domain/catalogue/catalogue.ts'
import { chooseIp } from '#domain/lead/distributor-lead.ts'
import type { Settings } from '#server/config/settings.ts'
import { fillPlaceholders } from '#server/content/placeholders.ts'
import type { IntakeMetrics } from '#server/enquiries/intake-metrics.ts'
import { makeProofOfWork } from '#server/enquiries/proof-of-work.ts'
import { makeRateLimits } from '#server/enquiries/rate-limits.ts'
import { makeDisclosureId, makeShownDisclosures } from '#server/enquiries/shown-disclosures.ts'
import {
  failedRetrySeconds,
  makeEnquirySubmitter,
  type UnstoredEnquiry,
} from '#server/enquiries/submit-enquiry.ts'
import { readConversionAdjustments, readConversions } from '#server/leads/read-conversions.ts'
import { makeAddressServices } from '#server/lookups/address-validation.ts'
import { makeVisitReportReceiver } from '#server/measuring/visit-report-receiver.ts'
import { describeStorageOutage } from '#server/platform/faults/sanitize-error.ts'
import { makeOriginFinder, makeSameOriginCheck } from '#server/platform/http/origin.ts'
import { PageCache } from '#server/platform/http/page-cache.ts'
import type { RequestHead } from '#server/platform/http/request-head.ts'
import { makeVisitorIpFinder } from '#server/platform/http/visitor-ip.ts'
import { makeFailureLog } from '#server/platform/observability/failure-log.ts'
import type { addHttpMetrics } from '#server/platform/observability/metrics.ts'
import type { Store } from '#server/store/open-store.ts'
import {
  isHttpsOrigin,
  makeAffiliateCookie,
  makeCookieNames,
  makeThankYouCookie,
  makeXsrfProtection,
} from '#site/shell/cookies.ts'
import type { PageContext } from '#site/shell/document.tsx'
import type { PageAssets } from '#site/shell/page-assets.ts'

export interface SiteSetup {
  readonly settings: Settings
  readonly store: Store
  /** The clients of third parties, which `third-parties.ts` makes. */
  readonly thirdParties: Omit<Parameters<typeof makeAddressServices>[0], 'log'> & {
    readonly lookUpIp: (ip: string) => Promise<string | undefined>
    /** The URLs of the thank-you screens' pixels; an empty URL means no pixel. */
    readonly pixels: Readonly<Record<'healthcare' | 'technology' | 'default', string>>
  }
  readonly metrics: IntakeMetrics &
    ReturnType<typeof addHttpMetrics> & { readonly registry: Registry }
  /** Rejects if the store is unreachable, not migrated or read-only. */
  readonly checkStore: () => Promise<void>
  readonly log: Logger
  readonly clock: () => number
  /** The programs on offer and the operator's texts, as read when the process starts. */
  readonly programs: readonly Program[]
  readonly texts: SiteTexts
  readonly assets: PageAssets
  /** The folder of the built scripts; undefined during development. */
  readonly clientFolder: string | undefined
  /** Called once for each lead with a delivery, after the lead is on disk. */
  readonly onDeliveryDue: () => void
}

export type SiteServices = ReturnType<typeof makeSiteServices>

/** Makes the functions and settings that the site's pages and API share. */
export function makeSiteServices(setup: SiteSetup) {
  const { settings, store, thirdParties, metrics, assets, log, clock } = setup
  const { names, fallbackIp } = settings
  const findOrigin = makeOriginFinder(settings)
  const visitorIp = makeVisitorIpFinder(settings.trustedProxies)
  const rateLimits = makeRateLimits(settings.rateLimits, {
    visitorIp,
    log,
    onRefused: metrics.countLimited,
  })
  const cache = new PageCache()
  let { programs } = setup
  // The privacy policy names the cookies, which have other names over https.
  const fill = (texts: SiteTexts) => ({
    plain: fillPlaceholders(texts, names, makeCookieNames('http:')),
    secure: fillPlaceholders(texts, names, makeCookieNames('https:')),
  })
  let texts = fill(setup.texts)
  const shownDisclosures = makeShownDisclosures(store.database.db, log)
  const disclosureLog = makeFailureLog(log, { begins: describeStorageOutage })
  const disclosure = () => texts.plain.shared.disclosure.text
  /** The id of the disclosure that pages show now. */
  let disclosureId = shownDisclosures.show(disclosure())
  const contextAt = (siteOrigin: string): PageContext => ({
    assets,
    names,
    texts: isHttpsOrigin(siteOrigin) ? texts.secure : texts.plain,
    siteOrigin,
  })
  return {
    ...setup,
    ...rateLimits,
    findOrigin,
    visitorIp,
    disclosureId: () => disclosureId,
    disclosureCovers: () => texts.plain.shared.disclosureCovers,
    /**
     * Finds the disclosure that a visitor saw; undefined if nobody knows it any more. If the store is unreachable, returns
     * what the visitor's enquiry has come to.
     * @param id what the form sent
     * @param isOfForm whether the request comes from a form: that of release 0.3.0, which had one text, sends no id
     */
    findSeenDisclosure: async (
      id: string | undefined,
      isOfForm: boolean,
    ): Promise<string | undefined | UnstoredEnquiry> => {
      if (id === undefined)
        return isOfForm ? makeSpecifiedDisclosureText(names.school) : disclosure()
      try {
        return await shownDisclosures.find(id)
      } catch (error) {
        disclosureLog.failed(error)
        metrics.countRefused('not-stored')
        return { outcome: 'failed', retryAfterSeconds: failedRetrySeconds }
      }
    },
    /** Returns whether the disclosure that a form showed is the one that pages show now. */
    isDisclosureCurrent: (id: string | undefined, isOfForm: boolean) =>
      disclosureId ===
      (id ??
        (isOfForm ? makeDisclosureId(makeSpecifiedDisclosureText(names.school)) : disclosureId)),
    cache,
    metrics: metrics.registry,
    pixels: thirdParties.pixels,
    conversionsPassword: settings.conversionsPassword,
    xsrf: makeXsrfProtection(findOrigin),
    affiliate: makeAffiliateCookie(settings.affiliateParam, findOrigin),
    thankYouCookie: makeThankYouCookie(findOrigin),
    affiliateOf: store.leadReader.affiliateOf,
    context: (head: RequestHead) => contextAt(findOrigin(head)),
    /** Returns the pages' context for values that don't depend on the request. */
    sharedContext: () => contextAt(settings.siteOrigin),
    programs: () => programs,
    /** Replaces the programs on offer, and forgets the cached pages, which list programs. */
    setPrograms: (newPrograms: readonly Program[]) => {
      programs = newPrograms
      cache.forget()
    },
    setTexts: (newTexts: SiteTexts) => {
      texts = fill(newTexts)
      disclosureId = shownDisclosures.show(disclosure())
      cache.forget()
    },
    currentYear: () => new Date(clock()).getUTCFullYear(),
    visitReports: makeVisitReportReceiver({ ...store, ...rateLimits, clock, log }),
    proofOfWork: makeProofOfWork({
      ...rateLimits,
      secret: () => store.readSharedSecret('proof of work'),
      clock,
    }),
    readConversions: () => readConversions(store.database.db, clock()),
    readConversionAdjustments: () => readConversionAdjustments(store.database.db, clock()),
    readBreaker: store.breaker.read,
    storeClock: store.storeClock,
    isSameOrigin: makeSameOriginCheck(findOrigin, settings.isSiteOriginSet),
    /** Returns the IP address as a lead would contain it (reading 9). */
    lookUpIp: async (ip: string) => chooseIp((await thirdParties.lookUpIp(ip)) ?? ip, fallbackIp),
    countRefusedCall: (reason: 'invalid' | 'challenge') =>
      reason === 'challenge' ? metrics.countLimited(reason) : metrics.countRefused(reason),
    addressServices: makeAddressServices({ ...thirdParties, log }),
    submit: rateLimits.limitLeads(
      makeEnquirySubmitter({ ...setup, ...store, disclosure, visitorIp, findOrigin }),
    ),
  }
}
