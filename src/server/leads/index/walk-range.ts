import { type RawBuilder, sql } from 'kysely'
import type { LeadFilter } from '#domain/lead/lead-filter.ts'
import type { LeadPlace, LeadSearch } from '../list/lead-finder.ts'
import { entriesAt, type Source } from './walk.ts'

type Order = LeadSearch['towards']

/** Which entries of a walk's sources are looked at, and in which order. */
export interface Range {
  readonly filter: LeadFilter
  readonly after?: LeadPlace | undefined
  readonly bound?: LeadPlace | undefined
  readonly towards: Order
  /** So many entries, before it is given up for now. */
  readonly lookedAt: number
}

/** A source with the lead's own entry, of which the other parts are asked. */
export const joined = ({ at }: Source): RawBuilder<unknown> =>
  at === 'lead_index'
    ? sql`lead_index`
    : sql`${entriesAt(at)} inner join lead_index on lead_index.lead_id = ${sql.ref(`${at}.lead_id`)}`

export const inOrder = (table: string, towards: Order): RawBuilder<unknown> => {
  const [time, id] = [sql.ref(`${table}.received_at`), sql.ref(`${table}.lead_id`)]
  return towards === 'older' ? sql`order by ${time} desc, ${id} desc` : sql`order by ${time}, ${id}`
}

export function within(
  { at, where }: Source,
  { filter, after, bound, towards }: Range,
): RawBuilder<unknown> {
  const [time, id] = [sql.ref(`${at}.received_at`), sql.ref(`${at}.lead_id`)]
  const { since, until } = filter
  const [beyond, upTo] = towards === 'older' ? [sql`<`, sql`>=`] : [sql`>`, sql`<=`]
  return sql.join(
    [
      where,
      ...(since === undefined ? [] : [sql`${time} >= ${since}`]),
      ...(until === undefined ? [] : [sql`${time} < ${until}`]),
      ...(after ? [sql`(${time}, ${id}) ${beyond} (${after.receivedAt}, ${after.id})`] : []),
      ...(bound ? [sql`(${time}, ${id}) ${upTo} (${bound.receivedAt}, ${bound.id})`] : []),
    ],
    sql` and `,
  )
}
