import type { ConsoleContext } from './console-env.ts'

/** A posted form's fields as texts: what is missing, a file, or there twice is empty, or the last. */
export async function readForm<Name extends string>(
  c: ConsoleContext,
  ...names: readonly Name[]
): Promise<Readonly<Record<Name, string>>> {
  const body = await c.req.parseBody()
  // PostgreSQL has no text with U+0000 in it.
  const textOf = (value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '') : '')
  return Object.fromEntries(names.map((name) => [name, textOf(body[name])])) as Record<Name, string>
}

/** Whether the form has the field at all: an empty filter means every lead, one that is missing none. */
export const hasField = async (c: ConsoleContext, name: string): Promise<boolean> =>
  typeof (await c.req.parseBody())[name] === 'string'

/** What a passkey's form brings; undefined where it is no JSON. */
export function readAnswer(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
