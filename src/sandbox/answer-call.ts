import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { StandInAnswer } from './faults.ts'
import type { Answered } from './ledger.ts'

/** The ledger cuts off reply bodies after this many characters. */
const maxShown = 2000

/**
 * Returns the response as far as it is known before it is sent.
 * @param right the body that a healthy service would send
 */
export function answeredWith(answer: StandInAnswer, right: string): Answered {
  switch (answer.kind) {
    case 'reply':
      return { status: answer.status, body: answer.body.slice(0, maxShown) }
    case 'late':
    case 'drip':
      return { status: 200, body: right }
    case 'cut-short':
      return { status: 200, body: right.slice(0, right.length / 2) }
    default:
      return { status: null, body: null }
  }
}

export interface Stage {
  readonly call: HttpBindings
  /** How long `late` waits, and how long fifteen bytes of `drip` take, in milliseconds. */
  readonly slowMs: number
  readonly right: Response
}

/** Sends a response on the connection, or resets the connection. */
export async function playAnswer(
  answer: StandInAnswer,
  { call, slowMs, right }: Stage,
): Promise<Response> {
  const { outgoing } = call
  const { socket } = call.incoming
  switch (answer.kind) {
    case 'reply':
      return new Response(answer.body, {
        status: answer.status,
        headers: { 'content-type': 'application/json', ...answer.headers?.() },
      })
    case 'late':
      await connectionEnds(socket, slowMs)
      return right
    case 'drip':
      for (const byte of await writeHead(outgoing, right)) {
        if (outgoing.destroyed) return RESPONSE_ALREADY_SENT
        outgoing.write(Uint8Array.of(byte))
        await connectionEnds(socket, slowMs / 15)
      }
      outgoing.end()
      return RESPONSE_ALREADY_SENT
    case 'cut-short': {
      const body = await writeHead(outgoing, right)
      outgoing.write(body.subarray(0, body.length / 2))
      socket.end()
      if (!outgoing.destroyed) await once(outgoing, 'close')
      return RESPONSE_ALREADY_SENT
    }
    case 'hang':
      await connectionEnds(socket)
      return RESPONSE_ALREADY_SENT
    default:
      socket.resetAndDestroy()
      return RESPONSE_ALREADY_SENT
  }
}

/** Sends the headers, with the length of the whole body, and returns the body. */
async function writeHead(outgoing: ServerResponse, right: Response): Promise<Uint8Array> {
  const body = new Uint8Array(await right.arrayBuffer())
  const headers = Object.fromEntries(right.headers)
  outgoing.writeHead(right.status, { ...headers, 'content-length': body.length })
  return body
}

/** Resolves when the connection has ended or after `ms` milliseconds. The sandbox ends all connections when it stops. */
async function connectionEnds(socket: Socket, ms?: number): Promise<void> {
  const signal = ms === undefined ? undefined : AbortSignal.timeout(ms)
  if (!socket.destroyed) await once(socket, 'close', { signal }).catch(() => undefined)
}
