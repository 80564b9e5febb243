import type { Context } from 'hono'

export type ConsoleForm<Name extends string> = Readonly<Record<Name, string>> & {
  /** Returns whether a field is missing. An empty filter matches every lead, but a missing filter is an error. */
  readonly lacks: (name: Name) => boolean
}

/** Reads the fields of a posted form. Any other body, such as a malformed multipart body, has no fields. */
export const readRawFields = (c: Context): Promise<Readonly<Record<string, unknown>>> =>
  c.req.parseBody().catch(() => ({}))

/** Reads the named fields of a posted form as text. A missing field and an uploaded file become an empty text. */
export async function readForm<Name extends string>(
  c: Context,
  ...names: readonly Name[]
): Promise<ConsoleForm<Name>> {
  const body = await readRawFields(c)
  const lacks = (name: Name) => typeof body[name] !== 'string'
  // PostgreSQL cannot store text that contains U+0000. Browsers post each line end of a text area as CR LF.
  const textOf = (value: unknown) =>
    typeof value === 'string' ? value.replaceAll(/\0|\r(?=\n)/g, '') : ''
  const texts = Object.fromEntries(names.map((name) => [name, textOf(body[name])]))
  return { ...(texts as Record<Name, string>), lacks }
}
