import { type Kysely, sql } from 'kysely'
import type {
  FoundLeads,
  LeadCount,
  LeadPlace,
  LeadSearch,
} from '#server/use-cases/leads/list/lead-finder.ts'
import type { StoreTables } from '../store-tables.ts'
import { chooseWalk, sizeOf } from './choose-walk.ts'
import { type IndexRow, toFoundLead } from './found-lead.ts'
import { conditionsOf, walksOf } from './lead-walks.ts'
import type { Condition, Source, Walk } from './walk.ts'
import { inOrder, joined, type Range, within } from './walk-range.ts'

/**
 * So many entries of an index are walked for one page: what does not fit the other parts of the filter is passed over at
 * the same cost. Where that is not enough for a page it is said, and the next page goes on from there.
 */
export const lookedAt = 2_500

/** Entries of an index alone, counted without a look at what they stand for. */
const countedTo = 10_000

type Database = Kysely<StoreTables>

/**
 * A page of the leads that a filter means. The part that means the fewest leads is walked by its index, from the place on,
 * and the other parts are asked of each: however many leads there are, the work is bounded.
 */
export async function findLeads(db: Database, search: LeadSearch): Promise<FoundLeads> {
  const { filter, after, take, towards } = search
  const { walk, conditions, bound } = await wayThrough(db, search, { filter, after, towards })
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
  const range: Range = { filter: search.filter, towards: 'older' }
  const { walk, conditions, ...way } = await wayThrough(db, search, range)
  const [only, ...others] = walk.sources
  if (conditions.length === 0 && only !== undefined && others.length === 0) {
    const size = await sizeOf(db, only, { range, upTo: countedTo + 1 })
    return { leads: Math.min(size, countedTo), isAll: size <= countedTo }
  }
  const isUnasked = conditions.length === 0
  const { bound } = isUnasked ? await chooseWalk(db, [walk], { range, lookedAt }) : way
  const parts = walk.sources.map(
    (source) =>
      sql`select lead_id from (${entriesOf(source, { ...range, bound }, conditions)}) as part`,
  )
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (${sql.join(parts, sql` union `)}) as found`.execute(db)
  return { leads: rows[0]?.n ?? 0, isAll: bound === undefined }
}

interface Way {
  readonly walk: Walk
  /** What is still asked of each of its entries. */
  readonly conditions: readonly Condition[]
  /** How far it is gone; undefined where that is to the end. */
  readonly bound: LeadPlace | undefined
}

async function wayThrough(
  db: Database,
  { filter, keys, now }: Pick<LeadSearch, 'filter' | 'keys' | 'now'>,
  range: Range,
): Promise<Way> {
  const walks = walksOf(filter, keys)
  const [only, ...others] = walks
  if (only !== undefined && others.length === 0) {
    const conditions = conditionsOf(filter, keys, { walked: only, now })
    // Where nothing more is asked of an entry, none is passed over.
    if (conditions.length === 0) return { walk: only, conditions, bound: undefined }
  }
  const { walk, bound } = await chooseWalk(db, walks, { range, lookedAt })
  return { walk, conditions: conditionsOf(filter, keys, { walked: walk, now }), bound }
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
      sql`select * from (${entriesOf(source, range, conditions)}
        ${inOrder(conditions.length === 0 ? source.at : 'lead_index', towards)} limit ${take}) as part`,
  )
  // Whoever is found by two values stands there once.
  const { rows } = await sql<IndexRow>`
    select * from (${sql.join(parts, sql` union `)}) as parts
    ${inOrder('parts', towards)} limit ${take}`.execute(db)
  return rows
}

/**
 * What is asked of each entry is asked after the walk: left to choose, a database that takes the parts for independent of
 * each other reads the whole table.
 */
function entriesOf(source: Source, range: Range, conditions: readonly Condition[]) {
  const walked = sql`select lead_index.* from ${joined(source)} where ${within(source, range)}`
  if (conditions.length === 0) return walked
  return sql`select * from (${walked} ${inOrder(source.at, range.towards)} limit ${lookedAt + 1}) as lead_index
    where ${sql.join(conditions, sql` and `)}`
}
