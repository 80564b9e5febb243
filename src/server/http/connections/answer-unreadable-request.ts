import { RequestError } from '@hono/node-server'
import { problemContentType } from '#contract/problem.ts'
import { problemOf } from '../problem.ts'

/** Answers HTTP whose host or address is none: `Host: a b`, a backslash in the path. */
export function answerUnreadableRequest(error: unknown): Response {
  const isTheirs = error instanceof RequestError
  const problem = isTheirs
    ? problemOf(400, 'The host or the address of this request cannot be read.')
    : problemOf(500, 'Something went wrong on our side. Please try again.')
  return Response.json(problem, {
    status: problem.status,
    headers: { 'content-type': problemContentType, 'x-content-type-options': 'nosniff' },
  })
}
