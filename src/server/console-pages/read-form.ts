import type { ConsoleContext } from './console-env.ts'

type PostedForm<Name extends string> = Readonly<Record<Name, string>> & {
  /** An empty filter means every lead, one that is not there none. */
  readonly lacks: (name: Name) => boolean
}

/** A posted form's fields as texts: what is missing, a file, or there twice is empty, or the last. */
export async function readForm<Name extends string>(
  c: ConsoleContext,
  ...names: readonly Name[]
): Promise<PostedForm<Name>> {
  const body = await c.req.parseBody()
  const lacks = (name: Name) => typeof body[name] !== 'string'
  // PostgreSQL has no text with U+0000 in it.
  const textOf = (value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '') : '')
  const texts = Object.fromEntries(names.map((name) => [name, textOf(body[name])]))
  return { ...(texts as Record<Name, string>), lacks }
}

/** What a passkey's form brings; undefined where it is no JSON. */
export function readAnswer(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
