import type { Context } from 'hono'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { type ConsoleCookies, makeConsoleCookies } from '#console/security/console-cookies.ts'
import type { ConsoleAssets, ConsoleShell } from '#console/shell/shell.tsx'
import type { ConsentChannel } from '#content/site-texts.ts'
import type { Program } from '#domain/catalogue/catalogue.ts'
import { chooseIp, toDistributorLead } from '#domain/lead/distributor-lead.ts'
import type { FlashMessage } from '#domain/operator/messages.ts'
import { isRecentSignIn } from '#domain/operator/permissions.ts'
import type { OverviewReader } from '#server/alerts/overview-reader.ts'
import { makeAlertTester } from '#server/alerts/send-alert.ts'
import type { Settings } from '#server/config/settings.ts'
import { encodeLead } from '#server/delivery/distributor-client.ts'
import { makeQuarantineReviewer } from '#server/leads/review-quarantine.ts'
import { makeSavedViews } from '#server/leads/saved-views.ts'
import { makeLeadViewer } from '#server/leads/view-lead.ts'
import { makeOpenIdProvider } from '#server/operators/openid-provider.ts'
import type { ConsoleActor, RequestSource } from '#server/operators/operator.ts'
import { areSecretsEqual, hashSecret, signText } from '#server/operators/secrets.ts'
import type { OpenSession } from '#server/operators/sessions.ts'
import type { OwnSession } from '#server/operators/sign-in.ts'
import { throttleOwnAccountActions } from '#server/operators/sign-in-attempts.ts'
import { makeVisitorIpFinder } from '#server/platform/http/visitor-ip.ts'
import { versionText } from '#server/platform/observability/log.ts'
import type { addHttpMetrics } from '#server/platform/observability/metrics.ts'
import {
  formatLeadsCommand,
  type LeadsCommandSettings,
} from '#server/store/format-leads-command.ts'
import type { Store } from '#server/store/open-store.ts'
import { makeOperatorActions, maxTestTimeoutMs } from '#server/store/operator-actions.ts'
import type { addConsoleMetrics } from './console-metrics.ts'

/** The variables that the console's middleware sets for each request. */
export interface ConsoleEnv {
  Variables: {
    /** The secret in the session cookie. A browser that is not signed in has a secret, too. */
    secret: string
    session: OpenSession | undefined
    source: RequestSource
    /** Only requests with a session have an `actor` and an `ownSession`. */
    actor: ConsoleActor
    ownSession: OwnSession
  }
}

export type ConsoleContext = Context<ConsoleEnv>

export interface ConsoleSetup {
  readonly settings: Settings
  readonly store: Store
  readonly clock: () => number
  readonly log: Logger
  readonly metrics: ReturnType<typeof addConsoleMetrics> &
    ReturnType<typeof addHttpMetrics> & { readonly registry: Registry }
  /** Rejects if the store is unreachable, not migrated or read-only. */
  readonly checkStore: () => Promise<void>
  readonly readOverview: OverviewReader
  /** Returns the programs that visitors can choose now. */
  readonly programs: () => readonly Program[]
  /** Returns what the disclosure covers now. */
  readonly disclosureCovers: () => readonly ConsentChannel[]
  readonly onJob: () => void
  readonly assets: ConsoleAssets
  /** The folder of the built scripts; undefined during development. */
  readonly assetFolder: string | undefined
  /** The folder `docs`, to whose documents pages link. */
  readonly documentFolder: string
}

export type ConsoleServices = ReturnType<typeof makeConsoleServices>

/**
 * Makes the functions and settings that the console's pages share.
 * @param origin returns the console's public origin, whose port may be unknown until the console listens
 */
export function makeConsoleServices(
  setup: ConsoleSetup,
  origin: () => string,
  isDraining: () => boolean,
) {
  const { settings, store, metrics, clock, log } = setup
  const { campaign, fallbackIp, thirdParties } = settings
  const { singleSignOn } = settings.console
  const { forConsole } = store
  const { audit, database } = forConsole
  const cookie = makeConsoleCookies(origin)
  const viewLead = makeLeadViewer({
    ...forConsole,
    readBreaker: forConsole.breaker.read,
    // Builds the request body as the worker would, but without calling the IP service.
    bodyOf: (lead) =>
      encodeLead(
        toDistributorLead(lead, campaign, chooseIp(lead.consent.ip, fallbackIp)),
        thirdParties.distributorEncoding,
      ),
    clock,
    onTooMany: metrics.countRevealsRefused,
  })
  return {
    ...setup,
    ...makeOperatorActions(store, forConsole, {
      clock,
      allowsLocal: settings.mode === 'demo',
      timeoutMs: Math.min(settings.delivery.timeout, maxTestTimeoutMs),
      onWork: setup.onJob,
    }),
    origin,
    isDraining,
    // With port 0, the site listens on any free port. The console doesn't know this port.
    siteOrigin: settings.siteOrigin.endsWith(':0') ? undefined : settings.siteOrigin,
    visitorIp: makeVisitorIpFinder(settings.trustedProxies),
    cookie,
    flash: makeFlashMessages(cookie),
    shellOf: makeShellFactory(setup, origin),
    operators: {
      ...store.operators,
      audit: throttleOwnAccountActions(store.audit, store.operators.db),
      clock,
      origin,
      readSharedSecret: store.readSharedSecret,
    },
    singleSignOn: singleSignOn && {
      settings: singleSignOn,
      provider: makeOpenIdProvider(singleSignOn, () => origin() + oidcCallbackPath, { log, clock }),
    },
    viewLead,
    quarantineReviewer: makeQuarantineReviewer({ ...forConsole, viewLead, clock }),
    testAlerts: makeAlertTester({ settings, audit, clock }),
    savedViews: makeSavedViews(database.db, clock),
  }
}

/** The path must not change, because administrators register the URL with their single sign-on provider. */
export const oidcCallbackPath = '/sign-in/oidc/callback'

/** Derives the form token from the session cookie's secret. No script can read this cookie. */
export const makeFormToken = (secret: string): string => hashSecret(`form ${secret}`)

type ShellSetup = Pick<ConsoleSetup, 'assets' | 'clock'> & {
  settings: LeadsCommandSettings & { readonly delivery: { readonly zone: string } }
}

export const makeShellFactory = ({ assets, settings, clock }: ShellSetup, origin: () => string) => {
  let command: string | undefined
  return (c: ConsoleContext): ConsoleShell => {
    const session = c.get('session')
    const isOld = session !== undefined && !isRecentSignIn(session.lastAuthenticatedAt, clock())
    const { pathname, search } = new URL(c.req.url)
    return {
      assets,
      zone: settings.delivery.zone,
      path: c.req.path,
      stepUpFor: isOld ? pathname + search : undefined,
      token: makeFormToken(c.get('secret')),
      operator: session?.operator,
      canRefresh: c.req.method === 'GET',
      formatCommand: (verb) => {
        command ??= formatLeadsCommand(settings, origin())
        return `${command} ${verb}`
      },
      version: versionText,
    }
  }
}

const flashCookie = 'console-notice'

/**
 * Passes the result of an action to the next page, in a cookie that the console reads once. The session's secret signs
 * the cookie, so that nobody else can make one.
 */
const makeFlashMessages = (cookie: ConsoleCookies) => ({
  redirect: (c: ConsoleContext, address: string, message: FlashMessage): Response => {
    const payload = Buffer.from(JSON.stringify(message)).toString('base64url')
    cookie.write(c, flashCookie, `${payload}.${signMessage(c, payload)}`, 60)
    return c.redirect(address, 303)
  },
  take: (c: ConsoleContext): FlashMessage | undefined => {
    const [payload = '', signature = ''] = cookie.take(c, flashCookie).split('.')
    if (!areSecretsEqual(signature, signMessage(c, payload))) return undefined
    return JSON.parse(Buffer.from(payload, 'base64url').toString())
  },
})

const signMessage = (c: ConsoleContext, payload: string): string =>
  signText(c.get('secret'), `notice ${payload}`)
