import { Hono } from 'hono'
import type { Logger } from 'pino'
import { html } from '#console/render.ts'
import type { ConsoleAssets } from '#console/shell/console-assets.ts'
import { MessagePage } from '#console/shell/console-page.tsx'
import { KeysPage } from '#console/shell/keys-page.tsx'
import type { SignInContext } from '#server/operators/operator.ts'
import { assets } from '#server/platform/http/assets.ts'
import { limitBody, refuseEncodedBody } from '#server/platform/http/request-body.ts'
import type { VisitorIp } from '#server/platform/http/visitor-ip.ts'
import { account } from './account.tsx'
import { answerConsoleError } from './answer-console-error.tsx'
import { type AuditPorts, audit } from './audit.tsx'
import { confirm } from './confirm.tsx'
import type { ConsoleEnv, OperatorPagesParts } from './console-env.ts'
import { countRefused, type RefusedSignIn } from './console-metrics.ts'
import { type DeliveriesPorts, deliveries } from './deliveries/deliveries.tsx'
import { type ConsoleHealthPorts, consoleHealth } from './health.ts'
import { invitation } from './invitation.tsx'
import { jobPages } from './jobs/jobs.tsx'
import type { JobsParts } from './jobs/new-job.tsx'
import { type LeadPorts, oneLead } from './lead/one-lead.tsx'
import { type LeadsPorts, leads } from './leads/leads.tsx'
import { type EventsPorts, events } from './live/events.ts'
import { operatorPages } from './operators.tsx'
import { type OverviewPorts, overview } from './overview.tsx'
import { type QuarantinePorts, quarantine } from './quarantine/quarantine.tsx'
import { consoleHeaders, noStore } from './security/console-headers.ts'
import {
  ownHostOnly,
  readByOwnPages,
  refuseNullCharacter,
  writtenByOwnPages,
} from './security/own-requests.ts'
import { makeBrowserOf, readSession, requireSession } from './security/require-session.ts'
import { makeSessionCookie, rememberBrowser } from './security/session-cookie.ts'
import { makeAssertStillAllowed } from './send-text.ts'
import { makeSessionNotice } from './session-notice.ts'
import { makeShellOf } from './shell-of.ts'
import { signIn, signOut } from './sign-in.tsx'
import { confirmBySignOn, singleSignOn } from './single-sign-on.tsx'

/** Made here, for the pages. */
type OwnParts = 'assertStillMay' | 'shellOf' | 'cookie' | 'browserOf' | 'notice'

export interface ConsoleAppPorts
  extends ConsoleHealthPorts,
    EventsPorts,
    Omit<OverviewPorts, OwnParts>,
    Omit<OperatorPagesParts, OwnParts>,
    Omit<LeadPorts, OwnParts>,
    Omit<JobsParts, OwnParts>,
    Omit<DeliveriesPorts, OwnParts>,
    Omit<AuditPorts, OwnParts>,
    Omit<LeadsPorts, OwnParts>,
    Omit<QuarantinePorts, OwnParts> {
  readonly operators: SignInContext
  /** The public origin, known once the console listens. */
  readonly origin: () => string
  readonly isSecure: boolean
  /** Demo mode, rather than production. */
  readonly isDemo: boolean
  readonly assets: ConsoleAssets
  /** The folder of the built scripts; undefined in development. */
  readonly assetFolder: string | undefined
  readonly visitorIp: VisitorIp
  readonly countSignInRefused: (reason: RefusedSignIn) => void
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
              ? 'You signed in again after this page was opened. Go back, reload the page and try again.'
              : `This console accepts forms from ${origin()} only, and this one came from another address. Open the console there. If operators use another address, such as a tunnel, set CONSOLE_ORIGIN to it and restart the console.`
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
    assertStillMay: makeAssertStillAllowed(ports.operators),
  }
  const bySignOn = ports.singleSignOn && { ...parts, singleSignOn: ports.singleSignOn }

  if (assetFolder !== undefined) {
    routes.use(consoleHeaders({ styles: ports.assets.styles, isSecure }))
  }
  routes.use(noStore)
  routes.route('/', consoleHealth(ports))
  routes.use(ownHostOnly(origin))
  routes.use(readByOwnPages)
  routes.use(refuseNullCharacter)
  if (assetFolder !== undefined) routes.route('/', assets(assetFolder))
  routes.use(readSession(parts))
  routes.use(refuseEncodedBody((c) => c.text('Send the body without a Content-Encoding.', 415)))
  routes.use(limitBody((c) => c.text('The form is too large.', 413)))

  // Everything before `requireSession` works without a session. The pattern includes `/sign-in` itself.
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
  routes.route('/', redirectsToForms())
  routes.route('/', account(parts))
  routes.route('/', overview(parts))
  routes.route('/', leads(parts))
  routes.route('/', oneLead(parts))
  routes.route('/', quarantine(parts))
  routes.get('/keys', (c) => c.html(html(<KeysPage shell={shellOf(c)} />)))
  routes.route('/', jobPages(parts))
  routes.route('/', deliveries(parts))
  routes.route('/', audit(parts))
  routes.route('/', operatorPages(parts))

  routes.notFound((c) =>
    c.html(
      html(
        <MessagePage
          shell={shellOf(c)}
          name="Page not found"
          text="Check the address. What the page was about may also be gone."
        />,
      ),
      404,
    ),
  )
  routes.onError(answerConsoleError({ ...ports, shellOf }))
  return routes
}

/** Forms that answer with a page of their own, by the page that they are on. */
const formsByPage = {
  '/account': ['/password', '/passkeys', '/passkeys/remove', '/sessions/end'],
  '/deliveries': ['/pause', '/resume'],
  '/leads': ['/search', '/views'],
  '/operators': ['/:id/role', '/:id/disable', '/:id/enable', '/:id/invite'],
} as const

/** Opening the address of such an answer, from the history or the address bar, leads to the form's page and does nothing. */
function redirectsToForms() {
  const routes = new Hono<ConsoleEnv>()
  for (const [page, forms] of Object.entries(formsByPage)) {
    for (const form of forms) routes.get(page + form, (c) => c.redirect(page, 303))
  }
  return routes
}
