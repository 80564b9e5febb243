import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { LeadFilter } from '#domain/lead/lead-filter.ts'
import type {
  FoundLeads,
  LeadCount,
  LeadPlace,
  LeadSearch,
} from '#server/use-cases/leads/list/lead-finder.ts'
import type { StoreTables } from '../store-tables.ts'
import { type IndexRow, placeOf, toFoundLead } from './found-lead.ts'
import { type Condition, conditionsOf, type Source, type Walk, walksOf } from './lead-walks.ts'

/**
 * So many entries of an index are walked for one page: what does not fit the other parts of the filter is passed over at
 * the same cost. Where that is not enough for a page it is said, and the next page goes on from there.
 */
export const lookedAt = 2_500

/** Entries of an index alone, counted without a look at what they stand for. */
const countedTo = 10_000

type Database = Kysely<StoreTables>
type Order = LeadSearch['towards']

interface Range {
  readonly filter: LeadFilter
  readonly after?: LeadPlace | undefined
  readonly bound?: LeadPlace | undefined
  readonly towards: Order
}

/**
 * A page of the leads that a filter means. The part that means the fewest leads is walked by its index, from the place on,
 * and the other parts are asked of each: however many leads there are, the work is bounded.
 */
export async function findLeads(db: Database, search: LeadSearch): Promise<FoundLeads> {
  const { filter, keys, after, take, now, towards } = search
  const { walk, size } = await shortestWalk(db, search)
  const conditions = conditionsOf(filter, keys, { walked: walk, now })
  // Where nothing more is asked of an entry, none is passed over.
  const isBounded = conditions.length > 0 && size > lookedAt
  const bound = isBounded ? await boundOf(db, walk, { filter, after, towards }) : undefined
  const rows = await readRows(db, walk, {
    range: { filter, after, bound, towards },
    conditions,
    take: take + 1,
  })
  const leads = rows.slice(0, take).map(toFoundLead)
  const last = leads.at(-1)
  const isFull = rows.length > take && last !== undefined
  return {
    leads,
    next: isFull ? { id: last.id, receivedAt: last.receivedAt } : bound,
    lookedUntil: isFull ? undefined : bound?.receivedAt,
  }
}

/** How many there are from the newest on, as far as one page is looked for. */
export async function countLeads(
  db: Database,
  search: Pick<LeadSearch, 'filter' | 'keys' | 'now'>,
): Promise<LeadCount> {
  const { filter, keys, now } = search
  const { walk, size } = await shortestWalk(db, search)
  const conditions = conditionsOf(filter, keys, { walked: walk, now })
  if (conditions.length === 0 && walk.sources.length === 1) {
    return { leads: Math.min(size, countedTo), isAll: size <= countedTo }
  }
  const range: Range = { filter, towards: 'older' }
  const bound = size > lookedAt ? await boundOf(db, walk, range) : undefined
  const parts = walk.sources.map(
    (source) =>
      sql`select lead_index.lead_id from ${joined(source)} where ${all(source, { ...range, bound }, conditions)}`,
  )
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (${sql.join(parts, sql` union `)}) as found`.execute(db)
  return { leads: rows[0]?.n ?? 0, isAll: bound === undefined }
}

/** Sizes are counted as far as they matter. */
async function shortestWalk(
  db: Database,
  { filter, keys }: Pick<LeadSearch, 'filter' | 'keys'>,
): Promise<{ readonly walk: Walk; readonly size: number }> {
  const walks = walksOf(filter, keys)
  const counts = walks.map(({ sources }, index) => {
    const each = sources.map(
      (source) =>
        sql`(select count(*) from (select 1 as one from ${sql.table(source.at)}
          where ${all(source, { filter, towards: 'older' })} limit ${countedTo + 1}) as walked)`,
    )
    return sql`${sql.join(each, sql` + `)} as ${sql.ref(`walk${index}`)}`
  })
  const { rows } = await sql<Record<string, number>>`select ${sql.join(counts)}`.execute(db)
  const sizes = walks.map((walk, index) => ({ walk, size: rows[0]?.[`walk${index}`] ?? 0 }))
  return sizes.reduce((least, one) => (one.size < least.size ? one : least))
}

/** Where as many have been looked at as may be: of several values the nearest place, so that nothing between is left out. */
async function boundOf(db: Database, { sources }: Walk, range: Range) {
  const each = Math.ceil(lookedAt / sources.length)
  const bounds = sources.map(
    (source) =>
      sql`select * from (select received_at, lead_id from ${sql.table(source.at)}
        where ${all(source, range)} ${inOrder(source.at, range.towards)} limit 1 offset ${each}) as part`,
  )
  const { rows } = await sql<IndexRow>`
    select * from (${sql.join(bounds, sql` union all `)}) as bounds
    ${inOrder('bounds', range.towards)} limit 1`.execute(db)
  return rows[0] && placeOf(rows[0])
}

interface Reading {
  readonly range: Range
  readonly conditions: readonly Condition[]
  readonly take: number
}

async function readRows(db: Database, { sources }: Walk, { range, conditions, take }: Reading) {
  const { towards } = range
  const parts = sources.map(
    (source) =>
      sql`select * from (select lead_index.* from ${joined(source)}
        where ${all(source, range, conditions)} ${inOrder(source.at, towards)} limit ${take}) as part`,
  )
  // Whoever is found by two values stands there once.
  const { rows } = await sql<IndexRow>`
    select * from (${sql.join(parts, sql` union `)}) as parts
    ${inOrder('parts', towards)} limit ${take}`.execute(db)
  return rows
}

const joined = ({ at }: Source): RawBuilder<unknown> =>
  at === 'lead_index'
    ? sql`lead_index`
    : sql`lead_keys inner join lead_index on lead_index.lead_id = lead_keys.lead_id`

const inOrder = (table: string, towards: Order): RawBuilder<unknown> => {
  const [time, id] = [sql.ref(`${table}.received_at`), sql.ref(`${table}.lead_id`)]
  return towards === 'older' ? sql`order by ${time} desc, ${id} desc` : sql`order by ${time}, ${id}`
}

function all(
  { at, where }: Source,
  { filter, after, bound, towards }: Range,
  more: readonly Condition[] = [],
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
      ...more,
    ],
    sql` and `,
  )
}
