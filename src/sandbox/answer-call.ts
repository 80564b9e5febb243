import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { StandInAnswer } from './faults.ts'

/** Longer bodies are cut off in the ledger. */
const mostShown = 2000

/**
 * The response as far as it is known before it is sent.
 * @param right the body of a healthy service
 */
export function answeredWith(answer: StandInAnswer, right: string) {
  switch (answer.kind) {
    case 'reply':
      return { status: answer.status, body: answer.body.slice(0, mostShown) }
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
  /** The service's ordinary answer. */
  readonly right: () => Response | Promise<Response>
}

/** Plays an answer on the connection, down to a reset. */
export async function playAnswer(answer: StandInAnswer, stage: Stage): Promise<Response> {
  const { outgoing, incoming } = stage.call
  const { socket } = incoming
  switch (answer.kind) {
    case 'reply':
      return new Response(answer.body, {
        status: answer.status,
        headers: { 'content-type': 'application/json', ...answer.headers?.() },
      })
    case 'late':
      await waitingEnds(socket, stage.slowMs)
      return stage.right()
    case 'drip':
      await drip(outgoing, await stage.right(), stage.slowMs / 15)
      return RESPONSE_ALREADY_SENT
    case 'cut-short':
      await cutShort(outgoing, await stage.right())
      return RESPONSE_ALREADY_SENT
    case 'hang':
      await waitingEnds(socket)
      return RESPONSE_ALREADY_SENT
    default:
      socket.resetAndDestroy()
      return RESPONSE_ALREADY_SENT
  }
}

async function drip(outgoing: ServerResponse, right: Response, everyMs: number): Promise<void> {
  for (const byte of await begin(outgoing, right)) {
    if (outgoing.destroyed) return
    outgoing.write(Uint8Array.of(byte))
    await waitingEnds(outgoing.req.socket, everyMs)
  }
  outgoing.end()
}

async function cutShort(outgoing: ServerResponse, right: Response): Promise<void> {
  const body = await begin(outgoing, right)
  outgoing.write(body.subarray(0, body.length / 2))
  outgoing.req.socket.end()
  if (!outgoing.destroyed) await once(outgoing, 'close')
}

/** Sends the head, whose length is that of the whole body, and returns the body. */
async function begin(outgoing: ServerResponse, right: Response): Promise<Uint8Array> {
  const body = new Uint8Array(await right.arrayBuffer())
  outgoing.writeHead(right.status, {
    ...Object.fromEntries(right.headers),
    'content-length': body.length,
  })
  return body
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
