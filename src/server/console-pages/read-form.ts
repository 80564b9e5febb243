import type { ConsoleContext } from './console-env.ts'

type PostedForm<Name extends string> = Readonly<Record<Name, string>> & {
  /** An empty filter means every lead; a missing one means none. */
  readonly lacks: (name: Name) => boolean
}

/** Reads a posted form's fields as texts. A field that is missing or a file is empty; of several the last one counts. */
export async function readForm<Name extends string>(
  c: ConsoleContext,
  ...names: readonly Name[]
): Promise<PostedForm<Name>> {
  const body = await c.req.parseBody()
  const lacks = (name: Name) => typeof body[name] !== 'string'
  // PostgreSQL stores no text that contains U+0000.
  const textOf = (value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '') : '')
  const texts = Object.fromEntries(names.map((name) => [name, textOf(body[name])]))
  return { ...(texts as Record<Name, string>), lacks }
}

/** Reads a passkey form's answer; undefined where it isn't JSON. */
export function readAnswer(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** In characters. Leaves room in the audit log for the action. */
export const maxLeadReasonLength = 450

/** The error for a reason that is too long; undefined where it isn't. */
export function reasonFault(reason: string, longest: number): string | undefined {
  const { length } = reason.trim()
  return length <= longest ? undefined : `Use ${longest} characters or fewer: these are ${length}.`
}
