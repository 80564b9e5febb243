import { createHmac } from 'node:crypto'
import type { Selectable } from 'kysely'
import { errorGroupId, normalizeReason } from '#domain/delivery/error-group.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

/** What of a lead a distributor quotes in its responses. */
type Quoted = Pick<Lead, 'firstName' | 'lastName' | 'street' | 'city'>

export type Group = Selectable<StoreTables['error_groups']>

/**
 * The group of a lead whose last attempt failed.
 * Its id is keyed: a viewer sees the id and not the words, and could confirm a guess of them by its hash.
 * @param lead undefined where it cannot be read: nothing says then what would have to go from the words
 * @param secret of the store
 */
export function groupOf(
  { error, said, lead }: { error: string; said: string | null; lead: Quoted | undefined },
  secret: string,
): Group {
  const words =
    said === null || lead === undefined
      ? ''
      : normalizeReason(said, [lead.firstName, lead.lastName, lead.street, lead.city])
  const mark = createHmac('sha256', secret)
    .update(`words\n${words}`)
    .digest('base64url')
    .slice(0, 8)
  return { id: errorGroupId(error, mark), error, words }
}

/** Where there are too many already. */
export const groupOfRest = ({ error }: Group): Group => ({
  id: errorGroupId(error, 'rest'),
  error,
  words: '…',
})
