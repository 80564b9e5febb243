/** For a parameter. Half a character is none to PostgreSQL's JSON; as text of its own it would be replaced, too. */
export const asJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'string' ? inner.toWellFormed() : inner,
  )
