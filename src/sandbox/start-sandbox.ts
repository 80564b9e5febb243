import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { csrf } from 'hono/csrf'
import { secureHeaders } from 'hono/secure-headers'
import * as v from 'valibot'
import {
  faultsByService,
  findLeadFault,
  findLookupFault,
  makeJsonReply,
  type SandboxFault,
  type SandboxReply,
  type SandboxService,
  sandboxServices,
} from './faults.ts'
import { decodeLead, type LeadLedger, makeLeadLedger, readLeadName } from './lead-ledger.ts'
import { geocode, locateIp, readAddressLine, validateAddress } from './lookups.ts'
import styles from './page.css?raw'
import { renderSandboxPage } from './page.tsx'

interface SandboxOptions {
  /** The TCP port; 0 chooses any free port. */
  readonly port: number
  /** How long the fault `Slow15s` delays a reply, in milliseconds. Tests shorten the delay. */
  readonly slowMs?: number
}

export interface Sandbox {
  /** The sandbox's origin, such as http://127.0.0.1:4000, without a slash at the end. */
  readonly url: string
  readonly ledger: LeadLedger
  /** Stops the server and ends every connection, even one that hangs. */
  readonly stop: () => Promise<void>
}

/** Starts stand-ins for all third parties on one loopback port. Rejects if the port is in use (EADDRINUSE). */
export async function startSandbox({ port, slowMs = 15_000 }: SandboxOptions): Promise<Sandbox> {
  const ledger = makeLeadLedger()
  const server = createAdaptorServer({ fetch: makeSandboxApp(ledger, slowMs).fetch })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: listeningOn } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${listeningOn}`
  const stop = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    if ('closeAllConnections' in server) server.closeAllConnections()
    await closed
  }
  return { url, ledger, stop }
}

type Call = Context<{ Bindings: HttpBindings }>

/** A GIF with one transparent pixel, 43 bytes. */
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** A call that the sandbox received in place of an affiliate (postback) or a CRM (webhook). */
interface ReceivedNotification {
  readonly receivedAt: number
  readonly to: 'affiliate' | 'crm'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** How many notifications the sandbox keeps in memory. */
const maxNotifications = 10_000

const switchForm = v.object({ service: v.picklist(sandboxServices), answer: v.string() })

const success = makeJsonReply(200, { status: 'success' })
const unreadable = makeJsonReply(400, { error: 'The body is neither JSON nor a form.' })

function makeSandboxApp(ledger: LeadLedger, slowMs: number) {
  const switches = new Map<SandboxService, SandboxFault>()
  const notifications: ReceivedNotification[] = []

  const receiveNotification = (c: Call, to: ReceivedNotification['to'], body: string) => {
    const { url } = c.req
    notifications.push({ receivedAt: Date.now(), to, url, headers: c.req.header(), body })
    if (notifications.length > maxNotifications) notifications.shift()
  }

  /** Answers a lookup with the fault that the page or the query selects, or else with the normal response. */
  const answerLookup = (c: Call, service: SandboxService, query: string, normal: Response) =>
    sendFault(
      c,
      switches.get(service) ?? findLookupFault(service, query, c.req.query('key')),
      normal,
      slowMs,
    )

  const answerLead = async (c: Call) => {
    const raw = await c.req.text()
    const lead = decodeLead(raw, c.req.header('content-type') ?? '')
    const normal = lead ? success : unreadable
    let fault: SandboxFault | undefined
    // The ledger records a lead before the sandbox answers, because the client may disconnect.
    ledger.receive({ headers: c.req.header(), raw }, (attempt) => {
      fault = switches.get('distributor') ?? findLeadFault(readLeadName(lead, 'lastname'), attempt)
      return { fault: fault ? `Sandbox-${fault.name}` : null, ...toLedgerReply(fault, normal) }
    })
    return sendFault(c, fault, new Response(normal.body, normal), slowMs)
  }

  return new Hono<{ Bindings: HttpBindings }>()
    .use(async (c, next) =>
      // The ledger is private, so the sandbox refuses a public name that resolves to this machine (DNS rebinding).
      /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(c.req.url).hostname)
        ? next()
        : c.text('The sandbox accepts only host names of this machine.', 421),
    )
    .use(bodyLimit({ maxSize: 1024 * 1024 }))
    .get('/ledger', (c) => c.json(ledger.entries()))
    .delete('/ledger', (c) => {
      ledger.clear()
      return c.body(null, 204)
    })
    .post('/incoming/leads', answerLead)
    .get('/affiliate/postback', (c) => {
      receiveNotification(c, 'affiliate', '')
      return c.text('OK')
    })
    .post('/crm', async (c) => {
      receiveNotification(c, 'crm', await c.req.text())
      return c.json({ received: true })
    })
    .get('/notifications', (c) => c.json(notifications))
    .delete('/notifications', (c) => {
      notifications.length = 0
      return c.body(null, 204)
    })
    .post('/v1:validateAddress', async (c) => {
      const line = readAddressLine(await c.req.json().catch(() => undefined))
      return answerLookup(c, 'address-validation', line, await validateAddress(line))
    })
    .get('/maps/api/geocode/json', async (c) => {
      const zip = c.req.query('address') ?? ''
      return answerLookup(c, 'geocoding', zip, await geocode(zip))
    })
    .get('/json/:ip{.*}', (c) => {
      const ip = c.req.param('ip') || (c.env.incoming.socket.remoteAddress ?? '')
      return answerLookup(c, 'ip-lookup', ip, locateIp(ip))
    })
    .get('/pixel/:file{[\\w-]+\\.gif}', (c) =>
      c.body(new Uint8Array(gif), 200, {
        'content-type': 'image/gif',
        'cache-control': 'no-store',
        // The site, which has another origin, embeds the pixel.
        'cross-origin-resource-policy': 'cross-origin',
      }),
    )
    .use(securedPage)
    .use(csrf())
    .get('/', (c) => c.html(renderSandboxPage({ ledger, switches })))
    .get('/page.css', (c) => c.body(styles, 200, { 'content-type': 'text/css; charset=utf-8' }))
    .post('/answers', async (c) => {
      const form = v.safeParse(switchForm, await c.req.parseBody())
      const { service, answer } = form.success ? form.output : { service: undefined, answer: '' }
      const fault = service && faultsByService[service].find(({ name }) => name === answer)
      if (service === undefined || (answer !== '' && fault === undefined)) {
        return c.text('Choose one of the answers on the page. Nothing was changed.', 400)
      }
      if (fault) switches.set(service, fault)
      else switches.delete(service)
      return c.redirect('/', 303)
    })
}

/** Returns the reply for the ledger; its status and body are null if the connection is reset or hangs. */
function toLedgerReply(fault: SandboxFault | undefined, normal: SandboxReply) {
  const answer = fault === undefined || fault.answer.kind === 'late' ? normal : fault.answer
  return answer.kind === 'reply'
    ? { status: answer.status, body: answer.body }
    : { status: null, body: null }
}

async function sendFault(
  c: Call,
  fault: SandboxFault | undefined,
  normal: Response,
  slowMs: number,
) {
  const { answer } = fault ?? {}
  const { socket } = c.env.incoming
  switch (answer?.kind) {
    case undefined:
      return normal
    case 'reply':
      return new Response(answer.body, answer)
    case 'late':
      await setTimeout(slowMs, undefined, { ref: false })
      return normal
    case 'hang':
      // The connection ends when the client gives up or the sandbox stops.
      await once(socket, 'close').catch(() => undefined)
      return RESPONSE_ALREADY_SENT
    case 'reset':
      socket.resetAndDestroy()
      return RESPONSE_ALREADY_SENT
  }
}

const securedPage = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    styleSrc: ["'self'"],
    imgSrc: ['data:'],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  strictTransportSecurity: false,
})
