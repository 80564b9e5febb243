import { RequestError } from '@hono/node-server'
import { ourFault, problemReply } from '../problem.ts'

/** Answers HTTP whose host or address is none: `Host: a b`, a backslash in the path. */
export function answerUnreadableRequest(error: unknown): Response {
  const { status, headers, body } = error instanceof RequestError ? unreadable : ourFault
  return new Response(body, {
    status,
    headers: { ...headers, 'x-content-type-options': 'nosniff' },
  })
}

const unreadable = problemReply(400, 'The host or the address of this request cannot be read.')
