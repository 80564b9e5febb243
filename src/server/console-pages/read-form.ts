import type { Context } from 'hono'
import type { Message } from '#console/shell/message.tsx'

export type PostedForm<Name extends string> = Readonly<Record<Name, string>> & {
  /** Whether a field is missing. An empty filter matches every lead, but a missing filter is an error. */
  readonly lacks: (name: Name) => boolean
}

/** Reads the fields of a posted form. Any other body, such as a malformed multipart body, has no fields. */
export const parseFields = (c: Context): Promise<Readonly<Record<string, unknown>>> =>
  c.req.parseBody().catch(() => ({}))

/**
 * Reads a posted form's fields as text. A missing field and an uploaded file become an empty text. Of a repeated field,
 * the last value counts.
 */
export async function readForm<Name extends string>(
  c: Context,
  ...names: readonly Name[]
): Promise<PostedForm<Name>> {
  const body = await parseFields(c)
  const lacks = (name: Name) => typeof body[name] !== 'string'
  // PostgreSQL cannot store text that contains U+0000.
  const textOf = (value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '') : '')
  const texts = Object.fromEntries(names.map((name) => [name, textOf(body[name])]))
  return { ...(texts as Record<Name, string>), lacks }
}

/** The longest reason in characters, which leaves room for the action in the audit log. */
export const maxLeadReasonLength = 450

/** Makes the message for an action that was refused, without further text. */
export const makeProblem = (heading: string): Message => ({ kind: 'problem', heading })

/** Makes the message that names a form's refused fields and says that nothing was changed. */
export const makeFieldErrors = (fields: Message['fields']): Message => ({
  kind: 'problem',
  heading: 'Nothing was changed',
  fields,
})

/** Returns the error message for a reason that is too long; undefined if it isn't. */
export function findReasonError(reason: string, longest: number): string | undefined {
  const { length } = reason.trim()
  return length <= longest
    ? undefined
    : `Use ${longest} characters or fewer. You entered ${length}.`
}
