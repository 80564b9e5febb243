import { Hono } from 'hono'
import { html } from '#console/render.ts'
import { KeysPage } from '#console/shell/keys-page.tsx'
import { assets } from '#server/platform/http/assets.ts'
import { limitBody, refuseEncodedBody } from '#server/platform/http/request-body.ts'
import { account } from './account.tsx'
import { answerConsoleError } from './answer-console-error.tsx'
import { audit } from './audit.tsx'
import { confirm } from './confirm.tsx'
import type { ConsoleEnv, ConsoleParts, ConsoleSetup } from './console-env.ts'
import { countRefused } from './console-metrics.ts'
import { deliveries } from './deliveries/deliveries.tsx'
import { consoleHealth } from './health.ts'
import { invitation } from './invitation.tsx'
import { jobPages } from './jobs/jobs.tsx'
import { oneLead } from './lead/one-lead.tsx'
import { leads } from './leads/leads.tsx'
import { events } from './live/events.ts'
import { operatorPages } from './operators.tsx'
import { overview } from './overview.tsx'
import { quarantine } from './quarantine.tsx'
import { consoleHeaders, noStore } from './security/console-headers.ts'
import { makeBrowserOf, readSession, requireSession } from './security/require-session.ts'
import {
  ownHostOnly,
  readByOwnPages,
  refuseNullCharacter,
  writtenByOwnPages,
} from './security/same-origin-requests.ts'
import { makeSessionCookie, rememberBrowser } from './security/session-cookie.ts'
import { makeSessionNotice } from './session-notice.ts'
import { makeShellOf, makeShowMessage } from './shell-of.tsx'
import { signIn, signOut } from './sign-in.tsx'
import { singleSignOn as signInBySingleSignOn } from './single-sign-on.tsx'

/** Builds the console's app. Middleware and routes run in this order, so security checks come before the pages. */
export function consoleApp(setup: ConsoleSetup) {
  const { origin, isSecure, assetFolder, singleSignOn } = setup
  const cookie = makeSessionCookie(origin)
  const shellOf = makeShellOf(setup.assets, setup)
  const showMessage = makeShowMessage(shellOf)
  const parts: ConsoleParts = {
    ...setup,
    cookie,
    notice: makeSessionNotice(origin),
    shellOf,
    showMessage,
    browserOf: makeBrowserOf(setup.visitorIp),
  }
  const routes = new Hono<ConsoleEnv>()
  const ownPagesWrite = writtenByOwnPages(origin, (c) =>
    showMessage(
      c,
      'Nothing was done',
      c.req.header('origin') === origin()
        ? 'You signed in again after this page was opened. Go back, reload the page and try again.'
        : `This console accepts forms from ${origin()} only, and this one came from another address. Open the console there. If operators use another address, such as a tunnel, set CONSOLE_ORIGIN to it and restart the console.`,
      403,
    ),
  )

  if (assetFolder !== undefined) {
    routes.use(consoleHeaders({ styles: setup.assets.styles, isSecure }))
  }
  routes.use(noStore)
  routes.route('/', consoleHealth(setup))
  routes.use(ownHostOnly(origin))
  routes.use(readByOwnPages)
  routes.use(refuseNullCharacter)
  if (assetFolder !== undefined) routes.route('/', assets(assetFolder))
  routes.use(readSession(parts))
  routes.use(refuseEncodedBody((c) => c.text('Send the body without a Content-Encoding.', 415)))
  routes.use(limitBody((c) => c.text('The form is too large.', 413)))

  // Routes registered before `requireSession` work without a session. The pattern includes `/sign-in` itself.
  routes.use('/sign-in/*', ownPagesWrite, countRefused(setup.countSignInRefused))
  routes.route('/', signIn(parts))
  routes.route('/', invitation(parts))
  if (singleSignOn) routes.route('/', signInBySingleSignOn({ ...parts, singleSignOn }))

  routes.use(requireSession(cookie))
  routes.use(rememberBrowser(parts))
  routes.use(ownPagesWrite)
  routes.route('/', events(parts))
  routes.route('/', signOut(parts))
  routes.route('/', confirm(parts))
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

  const gone = 'Check the address. What the page was about may also be gone.'
  routes.notFound((c) => showMessage(c, 'Page not found', gone, 404))
  routes.onError(answerConsoleError(parts))
  return routes
}

/** Forms that answer with a page instead of a redirect, grouped by the page that contains them. */
const formsByPage = {
  '/account': ['/password', '/passkeys', '/passkeys/remove', '/sessions/end'],
  '/deliveries': ['/pause', '/resume'],
  '/leads': ['/search', '/views'],
  '/operators': ['/:id/role', '/:id/disable', '/:id/enable', '/:id/invite'],
} as const

/** If somebody opens the address of a posted form, from the history or the address bar, it redirects to the form's page. */
function redirectsToForms() {
  const routes = new Hono<ConsoleEnv>()
  for (const [page, forms] of Object.entries(formsByPage)) {
    for (const form of forms) routes.get(page + form, (c) => c.redirect(page, 303))
  }
  return routes
}
