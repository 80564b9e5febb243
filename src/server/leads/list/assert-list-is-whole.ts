import type { LeadFinder } from './lead-finder.ts'

/** Longer than a list is behind by itself, in milliseconds. */
const mostBehindMs = 10_000

/** The list does not know of all leads yet: what is done by it would miss some, and nobody would see that. */
export class ListBehindError extends Error {
  override readonly name = 'ListBehindError'
}

/** @throws ListBehindError */
export async function assertListIsWhole(
  finder: Pick<LeadFinder, 'behind'>,
  now: number,
): Promise<void> {
  const behind = await finder.behind()
  if (behind !== undefined && now - behind.since > mostBehindMs) throw new ListBehindError()
}
