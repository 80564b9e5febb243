import * as v from 'valibot'
import type { FieldProblem } from '#contract/problem.ts'
import { problemReply, type Reply } from '#server/platform/http/replies.ts'
import type { RequestHead } from '#server/platform/http/request-head.ts'

type Read<Output> =
  | { readonly ok: true; readonly value: Output }
  | { readonly ok: false; readonly reply: Reply }

/** Reads a JSON body by its schema, or answers with 415, 400 or 422. */
export function readJson<Schema extends v.GenericSchema>(
  head: RequestHead,
  body: string,
  schema: Schema,
  nameOf?: (issue: v.BaseIssue<unknown>) => string,
): Read<v.InferOutput<Schema>> {
  if (!/^application\/json\s*(;|$)/i.test(head.header('content-type') ?? '')) {
    return { ok: false, reply: problemReply(415, 'Send JSON, as application/json.') }
  }
  const json = parsed(body)
  if (json === undefined) return { ok: false, reply: problemReply(400, 'The body is not JSON.') }
  const result = v.safeParse(schema, json)
  return result.success
    ? { ok: true, value: result.output }
    : { ok: false, reply: unprocessable(fieldProblems(result.issues, nameOf)) }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

export const unprocessable = (errors: readonly FieldProblem[]): Reply =>
  problemReply(422, 'Some values need to be corrected: see errors.', { errors })

export const fieldProblems = (
  issues: readonly v.BaseIssue<unknown>[],
  nameOf: (issue: v.BaseIssue<unknown>) => string = (issue) => v.getDotPath(issue) ?? 'body',
): FieldProblem[] => issues.map((issue) => ({ field: nameOf(issue), message: ruleOf(issue) }))

function ruleOf({ message, received, expected }: v.BaseIssue<unknown>): string {
  // valibot's own words, which quote what was received, unlike those that the schema was given.
  if (!message.startsWith('Invalid ')) return message
  // Of a key that is missing it expects the key itself.
  return received === 'undefined' ? 'must be given' : `must be ${expected ?? 'something else'}`
}
