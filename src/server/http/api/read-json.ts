import type { Context } from 'hono'
import * as v from 'valibot'
import type { FieldProblem } from '#contract/problem.ts'
import { problem } from '../problem.ts'

type Read<Output> =
  | { readonly ok: true; readonly value: Output }
  | { readonly ok: false; readonly reply: Response }

/** Reads a JSON body by its schema, or answers with 415, 400 or 422. */
export async function readJson<Schema extends v.GenericSchema>(
  c: Context,
  schema: Schema,
  nameOf: (issue: v.BaseIssue<unknown>) => string = (issue) => v.getDotPath(issue) ?? 'body',
): Promise<Read<v.InferOutput<Schema>>> {
  if (!/^application\/json\s*(;|$)/i.test(c.req.header('content-type') ?? '')) {
    return { ok: false, reply: problem(c, 415, 'Send JSON, as application/json.') }
  }
  const body = await c.req.json().then(
    (json: unknown) => ({ json }),
    () => undefined,
  )
  if (body === undefined) return { ok: false, reply: problem(c, 400, 'The body is not JSON.') }
  const result = v.safeParse(schema, body.json)
  return result.success
    ? { ok: true, value: result.output }
    : { ok: false, reply: unprocessable(c, fieldProblems(result.issues, nameOf)) }
}

export const unprocessable = (c: Context, errors: readonly FieldProblem[]) =>
  problem(c, 422, 'Some values need to be corrected: see errors.', { errors })

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
