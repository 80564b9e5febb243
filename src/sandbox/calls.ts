import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import * as v from 'valibot'
import { answeredWith, playAnswer } from './answer-call.ts'
import { type Fault, inputFaults, type Lookup, type Service } from './faults.ts'
import type { Switches } from './switches.ts'

/** Notifies open pages of a change; each page reads the change itself. */
export interface Changes {
  tell(): void
  /** Resolves at the next change. */
  next(): Promise<void>
}

export function makeChanges(): Changes {
  let waiting = Promise.withResolvers<void>()
  return {
    tell() {
      waiting.resolve()
      waiting = Promise.withResolvers()
    },
    next: () => waiting.promise,
  }
}

/** Enough to see the calls of an enquiry; the oldest are dropped first. */
const mostCalls = 200

/** A call without a lead: a lookup, or a call to the distributor whose body was never read. */
export interface ReceivedCall {
  /** From 1, in the order of arrival. */
  readonly number: number
  /** Epoch milliseconds. */
  readonly receivedAt: number
  readonly service: Service
  /** The request, without keys. */
  readonly asked: string
  readonly answered: CallAnswer
}

export interface CallAnswer {
  /** The name of the fault; null if there was none. */
  readonly fault: string | null
  /** Null if the connection was reset or no reply was sent. */
  readonly status: number | null
  readonly body: string | null
}

export interface CallList {
  /** @returns a function that records the answer */
  receive(call: Pick<ReceivedCall, 'service' | 'asked'>): (answered: CallAnswer) => void
  /** The newest first. */
  latest(most: number): readonly ReceivedCall[]
  clear(): void
}

/** The last 200 calls without a lead, in memory. */
export function makeCallList(onChange: () => void = () => undefined): CallList {
  let calls: ReceivedCall[] = []
  let received = 0
  return {
    receive(call) {
      received += 1
      const number = received
      const answered = { fault: null, status: null, body: null }
      calls = [{ ...call, number, receivedAt: Date.now(), answered }, ...calls].slice(0, mostCalls)
      onChange()
      return (given) => {
        calls = calls.map((one) => (one.number === number ? { ...one, answered: given } : one))
        onChange()
      }
    },
    latest: (most) => calls.slice(0, most),
    clear() {
      calls = []
      onChange()
    },
  }
}

type Call = { Bindings: HttpBindings }

export interface LookupCallsParts {
  readonly calls: CallList
  readonly switches: Switches
  readonly slowMs: number
}

/**
 * Stands before a lookup's stand-in: writes each call down, and answers in its place where the page's switch or the
 * input asks for a fault.
 */
export function lookupCalls(
  service: Lookup,
  { calls, switches, slowMs }: LookupCallsParts,
): MiddlewareHandler<Call> {
  return async (c, next) => {
    const switched = switches.take(service)
    const isRead = switched?.answer.kind !== 'reset-early'
    const asked = isRead ? await askedOf[service](c) : 'was not read'
    const fault = switched ?? faultAskedFor(asked)
    const answered = calls.receive({ service, asked })
    const right = async () => {
      await next()
      return c.res
    }
    if (fault === undefined) {
      const { status, body } = await copyOf(await right())
      return answered({ fault: null, status, body })
    }
    const { kind } = fault.answer
    if (kind === 'reply' || kind === 'hang' || kind.startsWith('reset')) {
      answered({ fault: fault.name, ...answeredWith(fault.answer, '') })
    }
    const response = await playAnswer(fault.answer, {
      call: c.env,
      slowMs,
      right: async () => {
        const response = await right()
        const { body } = await copyOf(response)
        answered({ fault: fault.name, ...answeredWith(fault.answer, body) })
        return response
      },
    })
    // Hono would otherwise keep the stand-in's own answer, or merge its headers.
    c.res = undefined
    c.res = response
  }
}

const copyOf = async (response: Response) => ({
  status: response.status,
  body: await response.clone().text(),
})

const validationRequest = v.object({ address: v.object({ addressLines: v.array(v.string()) }) })

/** The request, without the key. */
const askedOf: Readonly<Record<Lookup, (c: Context<Call>) => string | Promise<string>>> = {
  geocoding: (c) => c.req.query('address') ?? '',
  'address-validation': async (c) => {
    const read = v.safeParse(validationRequest, await c.req.json().catch(() => undefined))
    return read.success ? read.output.address.addressLines.join(' ') : ''
  },
  'ip-lookup': (c) => c.req.path.replace(/^\/json\//, '') || 'the caller’s address',
}

/** By the last two digits of a ZIP or of an address of TEST-NET-2 (RFC 5737), or by a word of a street. */
function faultAskedFor(asked: string): Fault | undefined {
  const number = /(?:\b999|\b198\.51\.100\.)(\d\d)$/.exec(asked.trim())?.[1]
  const name = /\bSandbox-([\w-]+)/i.exec(asked)?.[1]?.toLowerCase()
  return inputFaults.find(
    (fault) => fault.number === Number(number) || fault.name.toLowerCase() === name,
  )
}
