import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { csrf } from 'hono/csrf'
import { secureHeaders } from 'hono/secure-headers'
import * as v from 'valibot'
import { answeredWith, playAnswer } from './answer-call.ts'
import {
  faultOfLead,
  faultOfLookup,
  faultsOf,
  type Service,
  type StandInAnswer,
  type Switch,
  services,
  success,
  takeSwitchedFault,
} from './faults.ts'
import { CallList, decodeLead, type Ledger, makeLedger, nameOf } from './ledger.ts'
import { addressIn, geocode, locateIp, validateAddress } from './lookups.ts'
import { liveScript } from './page/live.ts'
import styles from './page/page.css?raw'
import { page } from './page/page.tsx'

export interface SandboxOptions {
  /** The TCP port; 0 chooses any free port. */
  readonly port: number
  /** How long `Sandbox-Slow15s` waits, in milliseconds. Tests shorten the wait. */
  readonly slowMs?: number
}

export interface Sandbox {
  /** The sandbox's origin, such as http://127.0.0.1:4000, without a slash at the end. */
  readonly url: string
  readonly ledger: Ledger
  /** Ends every connection, including connections that hang. */
  readonly stop: () => Promise<void>
}

/** Starts stand-ins for all third parties on one loopback port. Rejects if the port is in use (EADDRINUSE). */
export async function startSandbox({ port, slowMs = 15_000 }: SandboxOptions): Promise<Sandbox> {
  const ledger = makeLedger()
  const server = createAdaptorServer({ fetch: sandboxApp(ledger, slowMs).fetch })
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

const switchForm = v.object({
  service: v.picklist(services),
  answer: v.string(),
  calls: v.pipe(
    v.string(),
    v.regex(/^([1-9]\d{0,3})?$/),
    v.transform((calls) => (calls === '' ? Infinity : Number(calls))),
  ),
  normally: v.optional(v.string()),
})

function sandboxApp(ledger: Ledger, slowMs: number) {
  const calls = new CallList()
  const switches = new Map<Service, Switch>()
  const state = { ledger, calls, switches }

  /** Records a lookup, and answers with the fault from the switch or the input, otherwise with the right response. */
  const answerLookup = async (
    c: Call,
    service: Service,
    read: () => string | Promise<string>,
    answer: (asked: string) => Response | Promise<Response>,
  ) => {
    const switched = takeSwitchedFault(switches, service)
    if (switched?.answer.kind === 'reset-early') return resetEarly(c, service)
    const asked = await read()
    const right = await answer(asked)
    const body = await right.clone().text()
    const fault = switched ?? faultOfLookup(service, asked, c.req.query('key'))
    const answered = fault ? answeredWith(fault.answer, body) : { status: right.status, body }
    calls.add({ service, asked, answered })
    return fault ? playAnswer(fault.answer, { call: c.env, slowMs, right }) : right
  }

  const resetEarly = (c: Call, service: Service) => {
    calls.add({ service, asked: 'was not read', answered: { status: null, body: null } })
    const answer = { kind: 'reset-early' } as const
    return playAnswer(answer, { call: c.env, slowMs, right: new Response() })
  }

  const answerLead = async (c: Call) => {
    const switched = takeSwitchedFault(switches, 'distributor')
    if (switched?.answer.kind === 'reset-early') return resetEarly(c, 'distributor')
    const raw = await c.req.text()
    const lead = decodeLead(raw, c.req.header('content-type') ?? '')
    let answer: StandInAnswer = lead === null ? unreadable : success
    // The ledger records the arrival before the reply is sent, so that a client that gives up early doesn't change it.
    ledger.receive({ headers: c.req.header(), raw }, (attempt) => {
      const named = faultOfLead(nameOf(lead, 'lastname'), attempt)
      const fault = switched ?? named
      answer = fault?.answer ?? answer
      return {
        fault: fault ? `Sandbox-${fault.name}` : null,
        askedBy: switched ? 'switch' : named ? 'last name' : null,
        ...answeredWith(answer, success.body),
      }
    })
    const right = Response.json({ status: 'success' })
    return playAnswer(answer, { call: c.env, slowMs, right })
  }

  return new Hono<{ Bindings: HttpBindings }>()
    .use(async (c, next) =>
      // The ledger is private, so requests to a public name that resolves to this machine (DNS rebinding) are refused.
      /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(c.req.url).hostname)
        ? next()
        : c.text('The sandbox answers to names of this machine only.', 421),
    )
    .use(bodyLimit({ maxSize: 1024 * 1024 }))
    .get('/ledger', (c) => c.json(ledger.entries()))
    .delete('/ledger', (c) => {
      ledger.clear()
      return c.body(null, 204)
    })
    .post('/incoming/leads', answerLead)
    .post('/v1:validateAddress', async (c) => {
      const read = async () => addressIn(await c.req.json().catch(() => undefined))
      return answerLookup(c, 'address-validation', read, validateAddress)
    })
    .get('/maps/api/geocode/json', (c) =>
      answerLookup(c, 'geocoding', () => c.req.query('address') ?? '', geocode),
    )
    .get('/json/:ip{.*}', (c) => {
      const own = c.env.incoming.socket.remoteAddress ?? ''
      return answerLookup(c, 'ip-lookup', () => c.req.param('ip') || own, locateIp)
    })
    .get('/pixel/:file{[\\w-]+\\.gif}', (c) =>
      c.body(new Uint8Array(gif), 200, {
        'content-type': 'image/gif',
        'cache-control': 'no-store',
        // A page of another origin embeds the pixel.
        'cross-origin-resource-policy': 'cross-origin',
      }),
    )
    .use(securedPage)
    .use(csrf())
    .get('/', (c) => c.html(page(state)))
    .get('/page.css', (c) => c.body(styles, 200, { 'content-type': 'text/css; charset=utf-8' }))
    .get('/live.js', (c) => c.body(liveScript, 200, { 'content-type': 'text/javascript' }))
    .post('/answers', async (c) => {
      const form = v.safeParse(switchForm, await c.req.parseBody())
      if (!form.success) return c.text('Choose one of the answers on the page.', 400)
      const { service, answer, calls: callsLeft, normally } = form.output
      const fault = faultsOf[service].find(({ name }) => name === answer)
      if (answer !== '' && fault === undefined) {
        return c.text(`${service} has no answer of that name. Nothing was changed.`, 400)
      }
      if (fault && normally === undefined) switches.set(service, { fault, callsLeft })
      else switches.delete(service)
      return c.redirect('/', 303)
    })
    .post('/forget', (c) => {
      ledger.clear()
      calls.clear()
      return c.redirect('/', 303)
    })
}

const unreadable: StandInAnswer = {
  kind: 'reply',
  status: 400,
  body: JSON.stringify({ error: 'The body is neither a JSON object nor a form.' }),
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
