import { describeError } from '#domain/delivery/describe-outcome.ts'
import { errorOf, isErrorGroup } from '#domain/delivery/error-group.ts'
import { isAllowed } from '#domain/operator/rights.ts'
import { parseSavedFilter } from '#server/leads/lead-filters.ts'
import type { LeadIndex } from '#server/leads/lead-index.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'

/** Describes groups of errors in saved filters, because a group's id means nothing to a reader. */
export type NameGroups = (
  actor: ConsoleActor,
  queries: readonly string[],
) => Promise<ReadonlyMap<string, string>>

/** A group and its response are deleted with its last lead, but saved filters may still contain its id. */
export const makeNameGroups =
  ({ readWords }: Pick<LeadIndex['errorGroups'], 'readWords'>): NameGroups =>
  async ({ role }, queries) => {
    const ids = [
      ...new Set(queries.flatMap((query) => parseSavedFilter(query).given.error)),
    ].filter(isErrorGroup)
    if (ids.length === 0) return new Map()
    // Without the permission to reveal, the distributor's response stays hidden (ruling 30).
    if (!isAllowed(role, 'reveal a lead')) {
      return new Map(ids.map((id) => [id, `${describeError(errorOf(id))}, response hidden`]))
    }
    const words = await readWords(ids)
    return new Map(ids.map((id) => [id, describeGroup(id, words.get(id))]))
  }

function describeGroup(id: string, words: string | undefined): string {
  const error = describeError(errorOf(id))
  if (words === undefined) return `${error}, response deleted with its last lead`
  return words === '' ? `${error}, without words` : `${error} “${words}”`
}
