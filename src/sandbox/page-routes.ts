import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { csrf } from 'hono/csrf'
import { secureHeaders } from 'hono/secure-headers'
import { streamSSE } from 'hono/streaming'
import * as v from 'valibot'
import { isPrivateHost } from '#server/platform/http/visitor-ip.ts'
import { liveScript } from './browser/live.ts'
import type { Changes } from './calls.ts'
import { services } from './faults.ts'
import { type LiveView, liveView, sinceThen } from './page/live-view.tsx'
import styles from './page/page.css?raw'
import { page } from './page/page.tsx'
import type { SandboxState } from './page/rows.tsx'
import { faultsOf } from './switches.ts'

/** One transparent pixel, 43 bytes. */
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** The thank-you screens' tracking pixels. */
export function pixelStandIn() {
  const app = new Hono()
  app.get('/pixel/:file{[\\w-]+\\.gif}', (c) =>
    c.body(new Uint8Array(gif), 200, {
      'content-type': 'image/gif',
      'cache-control': 'no-store',
      // The page that shows it has another origin.
      'cross-origin-resource-policy': 'cross-origin',
    }),
  )
  return app
}

/** Refuses requests under a public name that leads to this machine (DNS rebinding), because the ledger is private. */
export const ownHostOnly: MiddlewareHandler = async (c, next) => {
  if (!isPrivateHost(new URL(c.req.url).hostname)) {
    return c.text('The sandbox answers to names of this machine alone.', 421)
  }
  return next()
}

/** Milliseconds between two updates of an open page. */
const updateEvery = 250

const switchForm = v.object({
  service: v.picklist(services),
  answer: v.string(),
  calls: v.union([
    v.pipe(
      v.literal(''),
      v.transform(() => Infinity),
    ),
    v.pipe(v.string(), v.regex(/^[1-9]\d{0,3}$/), v.transform(Number)),
  ]),
  normally: v.optional(v.string()),
})

export interface PageParts extends SandboxState {
  readonly changes: Changes
}

/** The page for people, its live updates and its switches. */
export function pageRoutes({ changes, ...state }: PageParts) {
  const { ledger, calls, switches } = state
  return new Hono()
    .use(securedPage)
    .use(csrf())
    .get('/', (c) => c.html(page(state)))
    .get('/page.css', (c) => c.body(styles, 200, { 'content-type': 'text/css; charset=utf-8' }))
    .get('/live.js', (c) => c.body(liveScript, 200, { 'content-type': 'text/javascript' }))
    .get('/events', (c) => sendViews(c, changes, () => liveView(state)))
    .post('/answers', async (c) => {
      const form = v.safeParse(switchForm, await c.req.parseBody())
      if (!form.success) return c.text('Choose one of the answers of the page.', 400)
      const { service, answer, calls: callsLeft, normally } = form.output
      const fault = faultsOf[service].find(({ name }) => name === answer)
      if (answer !== '' && fault === undefined) {
        return c.text(`${service} has no answer of that name. Nothing was changed.`, 400)
      }
      switches.turn(service, fault && normally === undefined ? { fault, callsLeft } : undefined)
      return c.redirect('/', 303)
    })
    .post('/forget', (c) => {
      ledger.clear()
      calls.clear()
      return c.redirect('/', 303)
    })
}

const securedPage = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ['data:'],
    connectSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  strictTransportSecurity: false,
})

/** Server-sent events: first the whole view, then its changes. */
function sendViews(c: Context, changes: Changes, read: () => LiveView) {
  return streamSSE(
    c,
    async (stream) => {
      const gone = new Promise<void>((resolve) => stream.onAbort(resolve))
      let had: LiveView['parts'] = {}
      while (!stream.aborted) {
        const changed = changes.next()
        const view = read()
        await stream.writeSSE({ data: JSON.stringify(sinceThen(view, had)) })
        had = view.parts
        await Promise.race([changed, gone])
        await stream.sleep(updateEvery)
      }
    },
    async () => undefined,
  )
}
