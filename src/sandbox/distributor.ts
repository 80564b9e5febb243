import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { answeredWith, playAnswer } from './answer-call.ts'
import type { CallList } from './calls.ts'
import { faultFor, jsonReply, type StandInAnswer, success } from './faults.ts'
import { decodeLead, type Ledger, lastNameOf } from './ledger.ts'
import type { Switches } from './switches.ts'

export interface DistributorStandInParts {
  readonly ledger: Ledger
  readonly calls: CallList
  readonly switches: Switches
  /** How long `Sandbox-Slow15s` waits, in milliseconds. */
  readonly slowMs: number
}

const unreadable = jsonReply(400, { error: 'The body is neither a JSON object nor a form.' })

/**
 * The lead distributor of the sandbox: takes every lead that it can read, unless the page's switch or the last name
 * asks for a fault.
 */
export function distributorStandIn({ ledger, calls, switches, slowMs }: DistributorStandInParts) {
  const app = new Hono<{ Bindings: HttpBindings }>()
  app.post('/incoming/leads', async (c) => {
    const play = (answer: StandInAnswer) =>
      playAnswer(answer, { call: c.env, slowMs, right: () => Response.json({ status: 'success' }) })
    const switched = switches.take('distributor')
    if (switched?.answer.kind === 'reset-early') {
      calls.receive({ service: 'distributor', asked: 'a lead, which was not read' })({
        fault: switched.name,
        ...answeredWith(switched.answer, success.body),
      })
      return play(switched.answer)
    }
    const raw = await c.req.text()
    const lead = decodeLead(raw, c.req.header('content-type') ?? '')
    const receipt = ledger.receive({ headers: c.req.header(), raw })
    const named = lead === null ? undefined : faultFor(lastNameOf(lead), receipt.attempt)
    const fault = switched ?? named
    const answer = fault?.answer ?? (lead === null ? unreadable : success)
    // Recorded before it is sent, so that a client that gives up early doesn't change the ledger.
    receipt.answered({
      fault: fault ? `Sandbox-${fault.name}` : null,
      askedBy: switched ? 'switch' : named ? 'last name' : null,
      ...answeredWith(answer, success.body),
    })
    return play(answer)
  })
  return app
}
