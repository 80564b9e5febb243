import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { createElement, type ReactElement } from 'react'
import { renderHtml } from '#console/render.ts'
import type { ConsoleAssets } from '#console/shell/console-assets.ts'
import { type ConsoleShell, ErrorPage } from '#console/shell/console-page.tsx'
import type { Message } from '#console/shell/message.tsx'
import type { Program } from '#domain/catalogue/catalogue.ts'
import { chooseIp, toDistributorLead } from '#domain/lead/distributor-lead.ts'
import { isRecentSignIn } from '#domain/operator/rights.ts'
import { makeAffiliates } from '#server/affiliates/affiliates.ts'
import type { Settings } from '#server/config/settings.ts'
import { encodeLead } from '#server/delivery/distributor.ts'
import { makeReturns } from '#server/delivery/import-returns.ts'
import { makeManageCaps } from '#server/delivery/manage-caps.ts'
import { makePauseDeliveries } from '#server/delivery/pause-deliveries.ts'
import { makeActOnLead } from '#server/jobs/act-on-lead.ts'
import { findLeadJobResults, makeJobs } from '#server/jobs/jobs.ts'
import { makeReviewQuarantine } from '#server/leads/review-quarantine.ts'
import { makeSavedViews } from '#server/leads/saved-views.ts'
import { makeViewLead } from '#server/leads/view-lead.ts'
import { makeWebhooks } from '#server/notifications/webhooks.ts'
import { makeOpenIdProvider } from '#server/operators/openid-provider.ts'
import type { ConsoleActor, RequestSource } from '#server/operators/operator.ts'
import { areSecretsEqual, hashSecret, signText } from '#server/operators/secrets.ts'
import type { OpenSession } from '#server/operators/sessions.ts'
import { limitOwnActions } from '#server/operators/sign-in-attempts.ts'
import { makeVisitorIp } from '#server/platform/http/visitor-ip.ts'
import type { addHttpMetrics } from '#server/platform/observability/metrics.ts'
import type { Store } from '#server/store/open-store.ts'
import type { ReadOverview } from '#server/troubles/read-overview.ts'
import type { addConsoleMetrics } from './console-metrics.ts'
import { makeSessionCookie, type SessionCookie } from './security/session-cookie.ts'

/** The context of a request whose session was looked up. */
export interface ConsoleEnv {
  Variables: {
    /** The secret in the session cookie. A browser that is not signed in has a secret, too. */
    secret: string
    session: OpenSession | undefined
    browser: RequestSource
    actor: ConsoleActor
  }
}

export type ConsoleContext = Context<ConsoleEnv>

export interface ConsoleSetup {
  readonly settings: Settings
  readonly store: Store
  /** Returns the current time, in epoch milliseconds. */
  readonly clock: () => number
  readonly log: Logger
  readonly metrics: ReturnType<typeof addConsoleMetrics> &
    ReturnType<typeof addHttpMetrics> & { readonly registry: Registry }
  /** Rejects if the store is unreachable, not migrated or read-only. */
  readonly checkStore: () => Promise<void>
  readonly readOverview: ReadOverview
  /** Returns the programs that visitors can choose now. */
  readonly programs: () => readonly Program[]
  /** Called when a job was started or changed. */
  readonly onJob: () => void
  readonly assets: ConsoleAssets
  /** The folder of the built scripts; undefined during development. */
  readonly assetFolder: string | undefined
}

interface ConsoleState {
  /** The console's public origin, known once the console listens. */
  readonly origin: () => string
  readonly isDraining: () => boolean
}

export type ConsoleServices = ReturnType<typeof makeConsoleServices>

/** Makes the functions and settings that the console's pages share. */
export function makeConsoleServices(setup: ConsoleSetup, { origin, isDraining }: ConsoleState) {
  const { settings, store, metrics, clock, log } = setup
  const { campaign, fallbackIp, thirdParties, console: consoleSettings } = settings
  const { singleSignOn } = consoleSettings
  const { forConsole } = store
  const { audit, index: finder, database } = forConsole
  const cookie = makeSessionCookie(origin)
  const shellOf = makeShellFactory(setup)
  const viewLead = makeViewLead({
    ...forConsole,
    readBreaker: forConsole.breaker.read,
    findJobActs: (id, take) => findLeadJobResults(database.db, id, take),
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
    origin,
    isDraining,
    // Port 0 means any free port, which this process may never know, because another process may serve the site.
    siteOrigin: settings.siteOrigin.endsWith(':0') ? undefined : settings.siteOrigin,
    visitorIp: makeVisitorIp(settings.trustedProxies),
    cookie,
    notice: makeFlashMessages(cookie),
    shellOf,
    showMessage: makeShowMessage(shellOf),
    operators: {
      ...store.operators,
      audit: limitOwnActions(store.audit, store.operators.db),
      clock,
      origin,
      sharedSecret: store.sharedSecret,
    },
    singleSignOn: singleSignOn && {
      settings: singleSignOn,
      provider: makeOpenIdProvider({
        settings: singleSignOn,
        redirectUri: () => origin() + callbackPath,
        log,
      }),
    },
    viewLead,
    reviewQuarantine: makeReviewQuarantine({ ...forConsole, finder, viewLead, clock }),
    actOnLead: makeActOnLead({ ...store, clock }),
    jobs: makeJobs(database, { finder, audit, clock, onWork: setup.onJob }),
    webhooks: makeWebhooks({
      db: database.db,
      audit,
      clock,
      // An operator waits for a test.
      timeoutMs: Math.min(settings.delivery.timeout, testTimeoutMs),
      allowsLocal: settings.mode === 'demo',
    }),
    caps: makeManageCaps({ db: database.db, audit, clock, zone: settings.delivery.zone }),
    holdDeliveries: makePauseDeliveries({ ...store, clock }),
    returns: makeReturns({ ...store.database, audit: store.audit, clock }),
    manageViews: makeSavedViews(database.db, clock),
    affiliates: makeAffiliates({ ...store.operators, audit, clock }, settings.mode === 'demo'),
  }
}

/** The longest time that an operator waits for the answer to a test, in milliseconds. */
const testTimeoutMs = 10_000

/** Administrators register this address with the provider of single sign-on, so it must not change. */
export const callbackPath = '/sign-in/oidc/callback'

/** Returns the signed-in operator with the id of their session. */
export const findOwnSession = (c: ConsoleContext) => ({
  actor: c.get('actor'),
  sessionId: c.get('session')?.id ?? '',
})

/** Derives the form token from the session cookie's secret, which no page can read. */
export const makeFormToken = (secret: string): string => hashSecret(`form ${secret}`)

export const makeShellFactory =
  ({
    assets,
    settings,
    clock,
  }: Pick<ConsoleSetup, 'assets' | 'clock'> & { settings: Pick<Settings, 'mode'> }) =>
  (c: ConsoleContext): ConsoleShell => {
    const session = c.get('session')
    const isOld = session !== undefined && !isRecentSignIn(session.lastAuthenticatedAt, clock())
    const { pathname, search } = new URL(c.req.url)
    return {
      assets,
      path: c.req.path,
      stepUpFor: isOld ? pathname + search : undefined,
      token: makeFormToken(c.get('secret')),
      operator: session?.operator,
      canRefresh: c.req.method === 'GET',
      isDemo: settings.mode === 'demo',
    }
  }

export const makeShowMessage =
  (shellOf: (c: ConsoleContext) => ConsoleShell) =>
  (c: ConsoleContext, name: string, text: string, status: ContentfulStatusCode) =>
    c.html(renderHtml(createElement(ErrorPage, { shell: shellOf(c), name, text })), status)

/** The result of an action, in words and without personal data. */
export interface FlashMessage {
  readonly kind: 'well' | 'note' | 'problem'
  readonly heading: string
  readonly text?: string | undefined
  /** The id of a lead that the notice links to. */
  readonly lead?: string | undefined
}

const noticeCookie = 'console-notice'

/**
 * Passes the result of an action to the page that the operator is redirected to, in a cookie that is read once. The
 * session's secret signs the cookie, so that only the console can make one.
 */
const makeFlashMessages = (cookie: SessionCookie) => ({
  redirect: (c: ConsoleContext, address: string, notice: FlashMessage): Response => {
    const payload = Buffer.from(JSON.stringify(notice)).toString('base64url')
    cookie.write(c, noticeCookie, `${payload}.${signMessage(c, payload)}`, 60)
    return c.redirect(address, 303)
  },
  take: (c: ConsoleContext): FlashMessage | undefined => {
    const [payload = '', signature = ''] = cookie.take(c, noticeCookie).split('.')
    if (!areSecretsEqual(signature, signMessage(c, payload))) return undefined
    return JSON.parse(Buffer.from(payload, 'base64url').toString())
  },
})

const signMessage = (c: ConsoleContext, payload: string): string =>
  signText(c.get('secret'), `notice ${payload}`)

/** Responds with a page, whose message says whether the request succeeded. */
export const showPage = (c: ConsoleContext, page: ReactElement, message?: Message) =>
  c.html(renderHtml(page), message?.kind === 'problem' ? 422 : 200)
