import type { Socket } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import type { Ledger } from '../sandbox/ledger.ts'
import { decodeLead, lastNameOf } from './decode-lead.ts'
import { faultFor, type StandInAnswer, success } from './faults.ts'

export interface DistributorStandInParts {
  readonly ledger: Ledger
  /** What `Sandbox-Slow15s` waits, in milliseconds. */
  readonly slowMs: number
}

const unreadable: StandInAnswer = {
  kind: 'reply',
  status: 400,
  body: JSON.stringify({ error: 'The body is neither a JSON object nor a form.' }),
}

/** The lead distributor of the sandbox: takes every lead that it can read, unless the last name asks for a fault. */
export function distributorStandIn({ ledger, slowMs }: DistributorStandInParts) {
  const app = new Hono<{ Bindings: HttpBindings }>()
  app.post('/incoming/leads', async (c) => {
    const raw = await c.req.text()
    const lead = decodeLead(raw, c.req.header('content-type') ?? '')
    const receipt = ledger.receive({ headers: c.req.header(), raw })
    const fault = lead === null ? undefined : faultFor(lastNameOf(lead), receipt.attempt)
    const answer: StandInAnswer = lead === null ? unreadable : (fault?.answer ?? success)
    // Written down before it is sent: a client that gives up early must not change what the ledger says.
    receipt.answered({
      fault: fault?.lastName ?? null,
      status: answer.kind === 'reply' ? answer.status : null,
      body: answer.kind === 'reply' ? answer.body : null,
    })
    const { socket } = c.env.incoming
    if (answer.kind === 'reset') {
      socket.resetAndDestroy()
      return RESPONSE_ALREADY_SENT
    }
    if (answer.kind === 'hang') {
      await waitingEnds(socket)
      return RESPONSE_ALREADY_SENT
    }
    if (answer.isSlow) await waitingEnds(socket, slowMs)
    return new Response(answer.body, {
      status: answer.status,
      headers: { 'content-type': 'application/json', ...answer.headers },
    })
  })
  return app
}

/** Resolves when the connection has ended (the sandbox ends it when it stops) or the time is over. */
async function waitingEnds(socket: Socket, ms?: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      socket.off('close', end)
      resolve()
    }
    const timer = ms === undefined ? undefined : setTimeout(end, ms)
    socket.once('close', end)
    if (socket.destroyed) end()
  })
}
