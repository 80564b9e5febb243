import { randomBytes } from 'node:crypto'
import type { ConsoleAssets } from '#console/shell/console-assets.ts'
import type { Program } from '#domain/catalogue/program.ts'
import { ipToSend } from '#domain/lead/derived.ts'
import { toDistributorLead } from '#domain/lead/distributor-lead.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { consoleApp } from '#server/console-http/console-app.tsx'
import { callbackPath } from '#server/console-http/pages/single-sign-on/sign-on-parts.ts'
import { makeVisitorIp } from '#server/http/security/visitor-ip.ts'
import { encodeLead } from '#server/integrations/distributor/encode-lead.ts'
import { makeOpenIdProvider } from '#server/integrations/openid/openid-provider.ts'
import { makePasskeyCeremony } from '#server/integrations/passkeys/passkey-ceremony.ts'
import { keepAWhile } from '#server/memory/keep-a-while.ts'
import { makeHoldDeliveries } from '#server/use-cases/deliveries/hold-deliveries.ts'
import { makeReadDeliveries } from '#server/use-cases/deliveries/read-deliveries.ts'
import { makeManageJobs } from '#server/use-cases/jobs/manage-jobs.ts'
import { makeActOnLead } from '#server/use-cases/leads/act-on-lead.ts'
import { makeBrowseLeads } from '#server/use-cases/leads/list/browse-leads.ts'
import { makeExportFoundLeads } from '#server/use-cases/leads/list/export-found-leads.ts'
import { makeReadExportProgress } from '#server/use-cases/leads/list/export-progress.ts'
import { makeManageViews } from '#server/use-cases/leads/list/saved-views.ts'
import { makeSearchForPerson } from '#server/use-cases/leads/list/search-for-person.ts'
import { makeReviewQuarantine } from '#server/use-cases/leads/quarantine/review-quarantine.ts'
import { makeViewLead } from '#server/use-cases/leads/view-lead.ts'
import type { LeadNews } from '#server/use-cases/live/live-news.ts'
import { LiveStreams } from '#server/use-cases/live/live-streams.ts'
import { makeAcceptInvitation } from '#server/use-cases/operators/accept-invitation.ts'
import { makeExportAudit } from '#server/use-cases/operators/audit/export-audit.ts'
import { makeReadAudit } from '#server/use-cases/operators/audit/read-audit.ts'
import { demoSignInLink, disableDemoOperator } from '#server/use-cases/operators/demo-operator.ts'
import { makeManageOperators } from '#server/use-cases/operators/manage-operators.ts'
import { makeOwnAccount } from '#server/use-cases/operators/own-account.ts'
import { makeConfirmOwn } from '#server/use-cases/operators/sessions/confirm-own.ts'
import { makeKeepForms } from '#server/use-cases/operators/sessions/keep-forms.ts'
import { makeKeepSessions } from '#server/use-cases/operators/sessions/keep-sessions.ts'
import { makeChallenges } from '#server/use-cases/operators/sign-in/challenges.ts'
import { makePasskeys } from '#server/use-cases/operators/sign-in/passkeys.ts'
import { makeSignInByLink } from '#server/use-cases/operators/sign-in/sign-in-by-link.ts'
import { makeSignInByPassword } from '#server/use-cases/operators/sign-in/sign-in-by-password.ts'
import { makeSignOnTrips } from '#server/use-cases/operators/single-sign-on/sign-on-trips.ts'
import { makeSingleSignOn } from '#server/use-cases/operators/single-sign-on/single-sign-on.ts'
import { makeReadOverview } from '#server/use-cases/overview/read-overview.ts'
import { makeDayFigures } from './day-figures.ts'
import { deliveryCounts } from './delivery-counts.ts'
import type { RoleParts } from './role-parts.ts'

export interface ConsoleRoleParts extends Omit<RoleParts, 'outside'> {
  readonly assets: ConsoleAssets
  /** Where the built scripts lie; undefined while developing. */
  readonly assetFolder: string | undefined
  /** Those on offer now. */
  readonly programs: () => readonly Program[]
  /** Called when there is something to do for who works at jobs. */
  readonly onJob: () => void
  /** See health.ts. */
  readonly checkStore: () => Promise<void>
}

/** To count a million leads takes 0.3 s: one part in twenty of the store's time, while somebody looks. */
const countsHeldTimes = 20

/** What operators are served, on a listener of its own. */
export function makeConsoleRole(parts: ConsoleRoleParts) {
  const { settings, store, metrics, clock, log, checkStore, assets, assetFolder } = parts
  const { accounts, links, sessions, credentials, identities, failures } = store.operators
  const { audit, archive } = store
  const keepSessions = makeKeepSessions(sessions, clock)
  const passwords = { accounts, credentials, failures, audit, clock }
  const invitation = makeAcceptInvitation({
    accounts,
    links,
    credentials,
    keepSessions,
    audit,
    clock,
  })
  const readSecretOf = (what: string) => () =>
    store.sharedSecret(what, () => randomBytes(32).toString('hex'))
  const stats = keepAWhile(async () => {
    const countedAt = clock()
    return { ...(await archive.stats(countedAt)), countedAt }
  }, countsHeldTimes)
  const live = new LiveStreams({
    live: store.live,
    clock,
    trouble: parts.troubleOf('open pages of the console'),
  })
  metrics.watchStreams(() => live.count)
  let isDraining = false
  let origin = settings.console.origin ?? `http://127.0.0.1:${settings.console.port}`
  const confirmOwn = makeConfirmOwn({ ...passwords, sessions })
  const signOn = settings.console.singleSignOn
  const singleSignOn = signOn && {
    settings: signOn,
    useCase: makeSingleSignOn({
      ...{ accounts, identities, sessions, audit, clock, keepSessions, confirmOwn },
      roles: signOn.roles,
      verifiedClaim: signOn.verifiedClaim,
      provider: makeOpenIdProvider({
        settings: signOn,
        redirectUri: () => origin + callbackPath,
        log,
        clock,
      }),
      trips: makeSignOnTrips(readSecretOf('console sign-on'), clock),
    }),
  }
  const viewLead = makeViewLead({
    jobs: store.jobs,
    archive,
    readBreaker: () => store.breaker.read(),
    holds: store.holds,
    audit,
    bodyOf: makeBodyOf(settings),
    clock,
  })
  const app = consoleApp({
    origin: () => origin,
    isSecure: origin.startsWith('https:'),
    assets,
    assetFolder,
    log,
    clock,
    checkStore,
    metrics: metrics.registry,
    countSignInRefused: metrics.countSignInRefused,
    isDraining: () => isDraining,
    visitorIp: makeVisitorIp(settings.trustedProxies),
    keepSessions,
    sessions,
    audit,
    signInByPassword: makeSignInByPassword({ ...passwords, keepSessions }),
    confirmOwn,
    singleSignOn,
    keepForms: makeKeepForms(store.operators.forms, clock),
    invitation,
    passkeys: makePasskeys({
      accounts,
      credentials,
      ceremony: makePasskeyCeremony(() => origin),
      challenges: makeChallenges(readSecretOf('console challenges'), clock),
      keepSessions,
      invitation,
      audit,
      clock,
    }),
    ownAccount: makeOwnAccount({ credentials, sessions, keepSessions, audit, clock }),
    manageOperators: makeManageOperators({ accounts, links, identities, audit, clock }),
    viewLead,
    reviewQuarantine: makeReviewQuarantine({ ...store, finder: store.index, viewLead, clock }),
    actOnLead: makeActOnLead({ ...store, clock }),
    archive,
    manageJobs: makeManageJobs({
      jobs: store.jobs,
      finder: store.index,
      audit,
      clock,
      onWork: parts.onJob,
    }),
    holdDeliveries: makeHoldDeliveries({ ...store, clock }),
    readDeliveries: makeReadDeliveries({ ...store, ...deliveryCounts(store, clock), clock }),
    readAudit: makeReadAudit({ audit, accounts, clock }),
    exportAudit: makeExportAudit({ audit, clock }),
    signInByLink: makeSignInByLink({ accounts, links, keepSessions, audit, clock }),
    programs: parts.programs,
    live,
    browseLeads: makeBrowseLeads({
      finder: store.index,
      archive,
      countUnreadable: async () => (await stats()).unreadable,
      clock,
    }),
    readExportProgress: makeReadExportProgress(store.exportProgresses, clock),
    exportFoundLeads: makeExportFoundLeads({
      finder: store.index,
      pages: store.pages,
      progresses: store.exportProgresses,
      audit,
      clock,
    }),
    manageViews: makeManageViews(store.views, clock),
    searchForPerson: makeSearchForPerson({ finder: store.index, clock }),
    readOverview: makeReadOverview({
      stats,
      finder: store.index,
      figures: makeDayFigures((days) => store.index.readFigures(days), {
        clock,
        heldTimes: countsHeldTimes,
      }),
      readBreaker: () => store.breaker.read(),
      archive,
      clock,
    }),
  })
  return {
    fetch: app.fetch,
    onAnswered: metrics.countResponse,
    /** Every page and call with its method, for who walks them all. */
    routes: app.routes,
    /**
     * Says where it listens; resolves with the address for an operator, in the demo with a link that signs in.
     */
    listening: async (port: number): Promise<string> => {
      origin = settings.console.origin ?? `http://127.0.0.1:${port}`
      if (settings.mode === 'demo') return demoSignInLink({ accounts, links }, origin, clock())
      await disableDemoOperator(accounts, clock())
      return origin
    },
    drain: () => {
      isDraining = true
      live.stop()
    },
    /** See live-streams.ts. */
    onNews: (news: LeadNews) => live.followed(news),
  }
}

/** As the worker's client would make it now; the IP service is not asked for a look. */
const makeBodyOf =
  ({ campaign, fallbackIp, thirdParties }: RoleParts['settings']) =>
  (lead: Lead) => {
    const ip = ipToSend(lead.consent.ip, fallbackIp)
    return encodeLead(toDistributorLead(lead, campaign, ip), thirdParties.distributorEncoding)
  }
