import type { Message } from '#console/shell/message.tsx'
import type { ConsoleContext } from './console-env.ts'

export type PostedForm<Name extends string> = Readonly<Record<Name, string>> & {
  /** Whether a field is missing. For a filter this matters: an empty filter means every lead, a missing filter means no lead. */
  readonly lacks: (name: Name) => boolean
}

/** Reads a posted form's fields as text. A missing field or a file counts as empty; of several values the last counts. */
export async function readForm<Name extends string>(
  c: ConsoleContext,
  ...names: readonly Name[]
): Promise<PostedForm<Name>> {
  const body = await c.req.parseBody()
  const lacks = (name: Name) => typeof body[name] !== 'string'
  // PostgreSQL cannot store text that contains U+0000.
  const textOf = (value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '') : '')
  const texts = Object.fromEntries(names.map((name) => [name, textOf(body[name])]))
  return { ...(texts as Record<Name, string>), lacks }
}

/** Reads a passkey's response from a form; undefined if it isn't JSON. */
export function readAnswer(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The longest reason in characters. It leaves room in the audit log for the action. */
export const maxLeadReasonLength = 450

/** Tells the operator which fields of a form were refused, and that nothing was changed. */
export const refusedFields = (fields: Message['fields']): Message => ({
  kind: 'problem',
  heading: 'Nothing was changed',
  fields,
})

/** Returns the error message for a reason that is too long; undefined if it isn't. */
export function reasonFault(reason: string, longest: number): string | undefined {
  const { length } = reason.trim()
  return length <= longest ? undefined : `Use ${longest} characters or fewer: these are ${length}.`
}
