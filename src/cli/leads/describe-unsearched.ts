import { counted } from '#domain/text/counted.ts'

/** Enough to begin with; as JSON they all are. */
const mostNamed = 10

/** For leads without a readable address: their person cannot be found by one. */
export function describeUnsearched(ids: readonly string[]): string {
  const named = ids.slice(0, mostNamed).join(', ')
  const more = ids.length > mostNamed ? ` and ${ids.length - mostNamed} more` : ''
  return (
    `Not searched: ${counted(ids.length, 'lead')} in which no address can be read (${named}${more}). Look at each by “show”, and ` +
    'erase what is the person’s by “erase --id”: docs/runbook.md, “A lead cannot be read”.'
  )
}
