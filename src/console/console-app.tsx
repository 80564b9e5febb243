import { hash } from 'node:crypto'
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { accountRoutes } from '#console/account/account-page.tsx'
import { affiliateRoutes } from '#console/affiliates/affiliates-routes.tsx'
import { auditRoutes } from '#console/audit/audit-page.tsx'
import { capRoutes } from '#console/caps/caps-page.tsx'
import { deliveryRoutes } from '#console/deliveries/deliveries-page.tsx'
import {
  doNotContactRoutes,
  listImportPath,
} from '#console/do-not-contact/do-not-contact-routes.tsx'
import { documentRoutes } from '#console/documents/document-page.tsx'
import { funnelRoutes } from '#console/funnel/funnel-routes.tsx'
import { jobRoutes } from '#console/jobs/jobs-page.tsx'
import { leadRoutes } from '#console/lead/lead-page.tsx'
import { leadListRoutes } from '#console/leads/leads-routes.tsx'
import { operatorRoutes } from '#console/operators/operators-page.tsx'
import { overviewRoutes } from '#console/overview/overview-routes.tsx'
import { quarantineRoutes } from '#console/quarantine/quarantine-page.tsx'
import { handleConsoleError, renderPages, showError } from '#console/requests/render-pages.tsx'
import { returnsPath, returnsRoutes } from '#console/returns/returns-routes.tsx'
import { rememberBrowser } from '#console/security/known-browser.ts'
import { readSession, requireSession } from '#console/security/require-session.ts'
import {
  rejectCrossSiteReads,
  rejectNullCharacters,
  requireOwnHost,
  requireSameOriginWrites,
} from '#console/security/same-origin-requests.ts'
import type { ConsoleAssets } from '#console/shell/shell.tsx'
import { invitationRoutes } from '#console/sign-in/invitation-page.tsx'
import {
  makeSignOutHandler,
  signInRoutes,
  singleSignOnRoutes,
} from '#console/sign-in/sign-in-page.tsx'
import { stepUpRoutes } from '#console/sign-in/step-up-page.tsx'
import { spendPath, spendRoutes } from '#console/spend/spend-routes.tsx'
import { statementRoutes } from '#console/statements/statements-routes.tsx'
import { webhookRoutes } from '#console/webhooks/webhooks-routes.tsx'
import { authorize } from '#server/operators/authorize.ts'
import { disableDemoOperator, makeDemoSignInLink } from '#server/operators/one-time-links.ts'
import { noteConsoleOrigin } from '#server/platform/database/sqlite/data-folder.ts'
import { readBrowserBuild, serveAssets } from '#server/platform/http/assets.ts'
import { healthRoutes } from '#server/platform/http/health.ts'
import { limitBody, maxBodyBytes, refuseEncodedBody } from '#server/platform/http/request-body.ts'
import { toRequestHead } from '#server/platform/http/request-head.ts'
import { makeCspHashSource, setSecurityHeaders } from '#server/platform/http/security-headers.ts'
import { isPrivateHost } from '#server/platform/http/visitor-ip.ts'
import { maxCsvBytes } from '#server/platform/mapped-csv.ts'
import { makeTimedCache } from '#server/platform/timed-cache.ts'
import { countRefusedSignIns } from './console-metrics.ts'
import {
  type ConsoleEnv,
  type ConsoleServices,
  type ConsoleSetup,
  makeConsoleServices,
} from './console-services.ts'

/** Makes the HTTP application of the console, which listens on its own port. */
export function makeConsoleApp(setup: ConsoleSetup) {
  const { settings, store, metrics, clock } = setup
  let isDraining = false
  let origin = settings.console.origin ?? `http://127.0.0.1:${settings.console.port}`
  const app = makeConsoleRoutes(
    makeConsoleServices(
      setup,
      () => origin,
      () => isDraining,
    ),
  )
  return {
    fetch: app.fetch,
    onAnswered: metrics.countResponse,
    /** All routes with their methods, for tests that request each route. */
    routes: app.routes,
    /** Tells the console its port. Resolves with the console's URL; in demo mode, this URL signs the demo's admin in. */
    listening: async (port: number): Promise<string> => {
      origin = settings.console.origin ?? `http://127.0.0.1:${port}`
      noteConsoleOrigin(settings.store.dataDir, origin)
      if (settings.mode === 'demo') return makeDemoSignInLink(store.operators.db, origin, clock())
      await disableDemoOperator(store.operators.db, clock())
      return origin
    },
    drain: () => {
      isDraining = true
    },
  }
}

/** Makes the console's routes. Middleware and routes run in the order of this function, so security checks come first. */
function makeConsoleRoutes(services: ConsoleServices) {
  const { origin, assets: page, assetFolder, singleSignOn, cookie } = services
  const routes = new Hono<ConsoleEnv>()
  const rejectForeignWrites = requireSameOriginWrites(origin, (c) =>
    showError(
      c,
      'Nothing was done',
      c.req.header('origin') === origin()
        ? 'You signed in again after this page was opened. Go back, reload the page and try again.'
        : `This console accepts forms only from ${origin()}, and this form came from another URL. Open the console at ${origin()}. If operators use another URL, for example through a tunnel, set CONSOLE_ORIGIN to that URL and restart the console.`,
      403,
    ),
  )

  routes.use(renderPages(services))
  if (assetFolder !== undefined) {
    routes.use(
      setSecurityHeaders({
        contentSecurityPolicy: { styleSrc: [makeCspHashSource(page.styles)] },
        strictTransportSecurity: origin().startsWith('https:') ? 'max-age=31536000' : false,
        // Other sites get no referrer, because a page's URL shows which lead an operator looks at.
        referrerPolicy: 'same-origin',
        crossOriginEmbedderPolicy: 'require-corp',
        permissionsPolicy: { publickeyCredentialsGet: ['self'] },
      }),
    )
  }
  routes.use(forbidCaching)
  routes.use('/metrics', allowPrivateMonitors(services))
  routes.route(
    '/',
    healthRoutes({
      ...services,
      readBreaker: services.store.breaker.read,
      storeClock: services.store.storeClock,
      metrics: services.metrics.registry,
    }),
  )
  routes.use(requireOwnHost(origin))
  routes.use(rejectCrossSiteReads)
  routes.use(rejectNullCharacters)
  if (assetFolder !== undefined) routes.route('/', serveAssets(assetFolder))
  routes.use(readSession(services))
  routes.use(refuseEncodedBody((c) => c.text('Send the body without a Content-Encoding.', 415)))
  const limitForm = limitBody((c) => c.text('The form is too large. Nothing was done.', 413))
  const limitFile = limitBody(
    (c) => c.text('The file is larger than 2 MB. Split it. Nothing was imported.', 413),
    maxCsvBytes + maxBodyBytes,
  )
  routes.use((c, next) => (filePaths.includes(c.req.path) ? limitFile : limitForm)(c, next))

  // The routes above `requireSession` work without a session. The pattern also matches `/sign-in` itself.
  routes.use(
    '/sign-in/*',
    rejectForeignWrites,
    countRefusedSignIns(services.metrics.countSignInRefused),
  )
  routes.route('/', signInRoutes(services))
  routes.route('/', invitationRoutes(services))
  if (singleSignOn) routes.route('/', singleSignOnRoutes({ ...services, singleSignOn }))

  routes.use(requireSession(cookie))
  routes.use(rememberBrowser(services))
  routes.use(rejectForeignWrites)
  const pages = makePages.map((make) => make(services))
  const all = pages.flatMap((page) => page.routes)
  for (const { method, path } of all) {
    // A GET request for the address of a form, for example from the browser's history, leads to the form's page.
    const isForm =
      method === 'POST' && !all.some((one) => one.method === 'GET' && one.path === path)
    const [, page, form] = path.split('/')
    if (isForm && form) routes.get(path, (c) => c.redirect(`/${page}`, 303))
  }
  for (const page of pages) routes.route('/', page)
  const text = 'Check the URL. The lead or job may have been deleted.'
  routes.notFound((c) => showError(c, 'Page not found', text, 404))
  routes.onError(handleConsoleError(services.log))
  return routes
}

const makePages: readonly ((services: ConsoleServices) => Hono<ConsoleEnv>)[] = [
  changeRoutes,
  makeSignOutHandler,
  stepUpRoutes,
  accountRoutes,
  overviewRoutes,
  leadListRoutes,
  leadRoutes,
  quarantineRoutes,
  jobRoutes,
  deliveryRoutes,
  funnelRoutes,
  returnsRoutes,
  statementRoutes,
  spendRoutes,
  doNotContactRoutes,
  capRoutes,
  affiliateRoutes,
  webhookRoutes,
  auditRoutes,
  documentRoutes,
  operatorRoutes,
]

/**
 * Serves metrics only to this machine and private networks, as the shipped proxies do, and only under a private name or
 * address, which no foreign web page can have.
 */
const allowPrivateMonitors = ({ visitorIp }: ConsoleServices) =>
  createMiddleware(async (c, next) => {
    const host = `http://${c.req.header('host')}`
    const isPrivate = URL.canParse(host) && isPrivateHost(new URL(host).hostname)
    if (isPrivate && isPrivateHost(visitorIp(toRequestHead(c)))) return next()
    return c.text(
      'Request /metrics from a private network, under a private host name or address: see docs/console.md.',
      421,
    )
  })

const filePaths = [returnsPath, `${spendPath}/import`, listImportPath]

/**
 * Reads the console's built files from their own folder, which the site never serves.
 * @throws if there is no build
 */
export function readConsoleAssets(folder: string): ConsoleAssets {
  const { fileOf, styles } = readBrowserBuild(folder)
  return {
    styles,
    pageScript: fileOf('src/console/browser/every-page.ts'),
    passkeyScript: fileOf('src/console/browser/passkey.ts'),
    developmentScripts: [],
  }
}

/** Forbids caching of pages, because a page is valid only now and for one operator. Scripts have their own header. */
const forbidCaching = createMiddleware(async (c, next) => {
  await next()
  if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store')
  c.header('X-Robots-Tag', 'noindex')
})

/** The milliseconds between two checks of the store for changes. All open pages of a process share one check. */
const intervalMs = 500

/** Answers open pages, which ask every second, with a text that changes whenever stored data changes. */
function changeRoutes({ store, clock }: ConsoleServices) {
  const readChanges = makeTimedCache(store.readChangeMarker, (tookMs) => intervalMs - tookMs)
  return new Hono<ConsoleEnv>().get('/api/changes', async (c) => {
    authorize(c.get('actor'), 'see leads', clock())
    return c.text(hash('sha256', await readChanges(), 'base64url'))
  })
}
