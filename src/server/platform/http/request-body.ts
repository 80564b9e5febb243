import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import * as v from 'valibot'
import type { FieldProblem } from '#contract/api-constants.ts'
import { parseJson } from '../call/http-call.ts'
import { makeProblemReply, type Reply } from './replies.ts'
import type { RequestHead } from './request-head.ts'

/** The longest body of an API call or posted form that the server reads, in bytes. */
export const maxBodyBytes = 64 * 1024

/**
 * Refuses a body that is too long. Compares Content-Length first, because Hono's own middleware creates a whole Request
 * to read the body, which took half the time of storing a lead.
 */
export function limitBody(refuse: (c: Context) => Response, maxBytes = maxBodyBytes) {
  const countBytes = bodyLimit({ maxSize: maxBytes, onError: refuse })
  return createMiddleware(async (c, next) => {
    if (c.req.header('transfer-encoding') !== undefined) return countBytes(c, next)
    // Node makes sure that a client sends no more than it announced.
    return Number(c.req.header('content-length') ?? 0) <= maxBytes ? next() : refuse(c)
  })
}

/** Refuses a compressed body: the server does not decompress bodies and would misread it. */
export const refuseEncodedBody = (refuse: (c: Context) => Response) =>
  createMiddleware(async (c, next) => {
    const codings = (c.req.header('content-encoding') ?? '').split(',')
    if (codings.every((coding) => ['', 'identity'].includes(coding.trim().toLowerCase()))) {
      return next()
    }
    // https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3-10
    c.header('Accept-Encoding', 'identity')
    return refuse(c)
  })

type ParsedBody<Output> =
  | { readonly ok: true; readonly value: Output }
  | { readonly ok: false; readonly reply: Reply }

/** Parses a JSON body with a schema, or answers with 415, 400 or 422. */
export function parseRequest<Schema extends v.GenericSchema>(
  head: RequestHead,
  body: string,
  schema: Schema,
  nameOf?: (issue: v.BaseIssue<unknown>) => string,
): ParsedBody<v.InferOutput<Schema>> {
  if (!/^application\/json\s*(;|$)/i.test(head.header('content-type') ?? '')) {
    return { ok: false, reply: makeProblemReply(415, 'Send JSON, as application/json.') }
  }
  const json = parseJson(body)
  if (json === undefined)
    return { ok: false, reply: makeProblemReply(400, 'The body is not JSON.') }
  const result = v.safeParse(schema, json)
  return result.success
    ? { ok: true, value: result.output }
    : { ok: false, reply: makeUnprocessableReply(toFieldProblems(result.issues, nameOf)) }
}

export const makeUnprocessableReply = (errors: readonly FieldProblem[]): Reply =>
  makeProblemReply(422, 'Some values need to be corrected: see errors.', { errors })

export const toFieldProblems = (
  issues: readonly v.BaseIssue<unknown>[],
  nameOf: (issue: v.BaseIssue<unknown>) => string = (issue) => v.getDotPath(issue) ?? 'body',
): FieldProblem[] => issues.map((issue) => ({ field: nameOf(issue), message: describeRule(issue) }))

function describeRule({ message, received, expected }: v.BaseIssue<unknown>): string {
  // Messages that begin with "Invalid" are valibot's own and quote the received value; other messages come from the
  // schema.
  if (!message.startsWith('Invalid ')) return message
  if (received === 'undefined') return 'This field is missing.'
  const values = expected?.replaceAll(/[()]/g, '').replaceAll(' | ', ' or ') ?? 'another value'
  return `Send ${typeNames[values] ?? values}.`
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  Object: 'an object',
}
