import { isAllowed } from '#domain/operator/rights.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { LeadSearches } from './lead-finder.ts'

/** What was searched for is over: it is another operator's, or too old. */
export class SearchEndedError extends Error {
  override readonly name = 'SearchEndedError'
}

/** By what an operator's search finds its person; undefined without a search. @throws SearchEndedError */
export async function searchedKeys(
  searches: Pick<LeadSearches, 'find'>,
  searchId: string | undefined,
  actor: Actor,
  now: number,
): Promise<readonly string[] | undefined> {
  if (searchId === undefined) return undefined
  const keys = actor.kind === 'console' ? await searches.find(searchId, actor.id, now) : undefined
  if (keys === undefined) throw new SearchEndedError()
  // An operator who became a viewer keeps searches of before.
  const isOfPerson = !keys.every((key) => key.startsWith('reference:'))
  if (isOfPerson && actor.kind === 'console' && !isAllowed(actor.role, 'search for a person')) {
    throw new SearchEndedError()
  }
  return keys
}
