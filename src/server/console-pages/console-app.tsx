import { Hono } from 'hono'
import type { Logger } from 'pino'
import { html } from '#console/render.ts'
import type { ConsoleAssets } from '#console/shell/console-assets.ts'
import { MessagePage } from '#console/shell/console-page.tsx'
import type { KeepSessions } from '#server/operators/sessions/keep-sessions.ts'
import type { KnownBrowsers } from '#server/operators/sign-in/known-browsers.ts'
import { assets } from '#server/platform/http/assets/assets.ts'
import { limitBody } from '#server/platform/http/security/limit-body.ts'
import { refuseEncodedBody } from '#server/platform/http/security/refuse-encoded-body.ts'
import type { VisitorIp } from '#server/platform/http/security/visitor-ip.ts'
import { type AccountPorts, account } from './account.tsx'
import { answerConsoleError } from './answer-console-error.tsx'
import { type AuditPorts, audit } from './audit/audit.tsx'
import { makeBrowserOf } from './browser-of.ts'
import { type ConfirmPorts, confirm, makeShowConfirm } from './confirm.tsx'
import type { ConsoleEnv } from './console-env.ts'
import type { RefusedSignIn } from './console-metrics.ts'
import { type DeliveriesPorts, deliveries } from './deliveries/deliveries.tsx'
import { type ConsoleHealthPorts, consoleHealth } from './health.ts'
import { type InvitationPorts, invitation } from './invitation.tsx'
import { jobs } from './jobs/jobs.tsx'
import type { JobsPorts } from './jobs/jobs-ports.ts'
import { keys } from './keys.tsx'
import { type LeadPorts, oneLead } from './lead/one-lead.tsx'
import { type LeadsPorts, leads } from './leads/leads.tsx'
import { type EventsPorts, events } from './live/events.ts'
import { type OperatorsPorts, operators } from './operators.tsx'
import { type OverviewPorts, overview } from './overview.tsx'
import { type QuarantinePorts, quarantine } from './quarantine/quarantine.tsx'
import { consoleHeaders, keptByNobody } from './security/console-headers.ts'
import { countRefused } from './security/count-refused.ts'
import { makeKnownBrowserOf, rememberBrowser } from './security/known-browser.ts'
import { ownHostOnly } from './security/own-host.ts'
import { readByOwnPages, writtenByOwnPages } from './security/own-requests.ts'
import { findSession, requireSession } from './security/require-session.ts'
import { makeSessionCookie } from './security/session-cookie.ts'
import { storableAddress } from './security/storable-address.ts'
import { makeAssertStillMay } from './send-text.ts'
import { makeSessionNotice } from './session-notice.ts'
import { makeShellOf } from './shell-of.ts'
import { type SignInPorts, signIn } from './sign-in.tsx'
import { type SignOutPorts, signOut } from './sign-out.ts'
import { confirmBySignOn, singleSignOn } from './single-sign-on/single-sign-on.tsx'
import { whereItWasPosted } from './where-it-was-posted.ts'

type OwnParts =
  | 'assertStillMay'
  | 'shellOf'
  | 'cookie'
  | 'browserOf'
  | 'knownBrowserOf'
  | 'notice'
  | 'showConfirm'

export interface ConsoleAppPorts
  extends ConsoleHealthPorts,
    EventsPorts,
    Omit<OverviewPorts, OwnParts>,
    Omit<SignInPorts, OwnParts>,
    Omit<SignOutPorts, OwnParts>,
    Omit<InvitationPorts, OwnParts>,
    Omit<ConfirmPorts, OwnParts>,
    Omit<AccountPorts, OwnParts>,
    Omit<LeadPorts, OwnParts>,
    Omit<JobsPorts, OwnParts>,
    Omit<DeliveriesPorts, OwnParts>,
    Omit<AuditPorts, OwnParts>,
    Omit<LeadsPorts, OwnParts>,
    Omit<QuarantinePorts, OwnParts>,
    Omit<OperatorsPorts, OwnParts> {
  /** Asked for once it listens. */
  readonly origin: () => string
  readonly isSecure: boolean
  /** Demo mode, rather than production. */
  readonly isDemo: boolean
  readonly assets: ConsoleAssets
  /** Where the built scripts lie; undefined while developing. */
  readonly assetFolder: string | undefined
  readonly visitorIp: VisitorIp
  readonly keepSessions: KeepSessions
  readonly knownBrowsers: KnownBrowsers
  readonly countSignInRefused: (reason: RefusedSignIn) => void
  readonly isStoreAway: (error: Error) => boolean
  readonly isQueryTooLong: (error: unknown) => boolean
  readonly log: Logger
}

/** Everything that the console serves. Middleware and routes run in this order, so the checks come before the pages. */
export function consoleApp(ports: ConsoleAppPorts) {
  const { origin, isSecure, assetFolder } = ports
  const cookie = makeSessionCookie(origin)
  const shellOf = makeShellOf(ports.assets, { isDemo: ports.isDemo, clock: ports.clock })
  const notice = makeSessionNotice(origin)
  const routes = new Hono<ConsoleEnv>()
  const ownPagesWrite = writtenByOwnPages(origin, (c) =>
    c.html(
      html(
        <MessagePage
          shell={shellOf(c)}
          name="Nothing was done"
          text={
            c.req.header('origin') === origin()
              ? 'The page that sent this is too old. Go back, reload the page and try again.'
              : `This console takes forms at ${origin()} alone, and this one came from another address. Open the console there. If operators reach it at another address, as through a tunnel, set CONSOLE_ORIGIN to that address and start the console again.`
          }
        />,
      ),
      403,
    ),
  )
  const parts = {
    ...ports,
    cookie,
    notice,
    shellOf,
    browserOf: makeBrowserOf(ports.visitorIp),
    assertStillMay: makeAssertStillMay(ports.keepSessions),
    knownBrowserOf: makeKnownBrowserOf({ ...ports, cookie }),
    showConfirm: makeShowConfirm({ ...ports, shellOf }),
  }
  const bySignOn = ports.singleSignOn && { ...parts, singleSignOn: ports.singleSignOn }

  if (assetFolder !== undefined) {
    routes.use(consoleHeaders({ styles: ports.assets.styles, isSecure }))
  }
  routes.use(keptByNobody)
  routes.route('/', consoleHealth(ports))
  routes.use(ownHostOnly(origin))
  routes.use(readByOwnPages)
  routes.use(storableAddress)
  if (assetFolder !== undefined) routes.route('/', assets(assetFolder))
  routes.use(findSession(parts))
  routes.use(
    refuseEncodedBody((c) => c.text('This body is packed: nothing here unpacks one.', 415)),
  )
  routes.use(limitBody((c) => c.text('This is more than the console reads.', 413)))

  // Before the session is asked for: all that who is not signed in can do.
  // `/sign-in` itself, too.
  routes.use('/sign-in/*', ownPagesWrite, countRefused(ports.countSignInRefused))
  routes.route('/', signIn(parts))
  routes.route('/', invitation(parts))
  if (bySignOn) routes.route('/', singleSignOn(bySignOn))

  routes.use(requireSession(cookie))
  routes.use(rememberBrowser(parts))
  routes.use(ownPagesWrite)
  routes.route('/', events(parts))
  routes.route('/', signOut(parts))
  routes.route('/', confirm(parts))
  if (bySignOn) routes.route('/', confirmBySignOn(bySignOn))
  routes.route('/', whereItWasPosted())
  routes.route('/', account(parts))
  routes.route('/', overview(parts))
  routes.route('/', leads(parts))
  routes.route('/', oneLead(parts))
  routes.route('/', quarantine(parts))
  routes.route('/', keys(parts))
  routes.route('/', jobs(parts))
  routes.route('/', deliveries(parts))
  routes.route('/', audit(parts))
  routes.route('/', operators(parts))

  routes.notFound((c) =>
    c.html(
      html(
        <MessagePage
          shell={shellOf(c)}
          name="Page not found"
          text="There is no page at this address. It may be mistyped, or what it was of is gone."
        />,
      ),
      404,
    ),
  )
  routes.onError(answerConsoleError({ ...ports, shellOf }))
  return routes
}
