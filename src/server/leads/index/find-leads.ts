import { type Kysely, sql } from 'kysely'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type {
  CountedPage,
  FoundLeads,
  LeadCount,
  LeadPlace,
  LeadSearch,
} from '../list/lead-finder.ts'
import { chooseWalk, sizeOf } from './choose-walk.ts'
import { type IndexRow, toFoundLead } from './found-lead.ts'
import { conditionsOf, walksOf } from './lead-walks.ts'
import type { Condition, Source, Walk } from './walk.ts'
import { inOrder, joined, type Range, within } from './walk-range.ts'

/**
 * So many entries of an index are walked for one page: what does not fit the other parts of the filter is passed over at
 * the same cost. Where that is not enough for a page it is said, and the next page goes on from there. For a page that
 * somebody waits for there are fewer than for who goes through all of them.
 */
const lookedAtForAll = 2_500
const lookedAtForPage = 750

/** Entries of an index alone, counted without a look at what they stand for. */
const countedTo = 10_000

type Database = Kysely<StoreTables>

type CountSearch = Pick<LeadSearch, 'filter' | 'keys' | 'now'>

/**
 * A page of the leads that a filter means. The part that means the fewest leads is walked by its index, from the place on,
 * and the other parts are asked of each: however many leads there are, the work is bounded.
 */
export async function findLeads(
  db: Database,
  search: LeadSearch,
  lookedAt = lookedAtForAll,
): Promise<FoundLeads> {
  const { filter, after, take, towards } = search
  const range: Range = { filter, after, towards, lookedAt }
  const way = await wayThrough(db, search, range)
  const rows = await readRows(db, way, { range, take: take + 1 })
  return pageOf(rows, way, take)
}

/** How many there are from the newest on, as far as one page is looked for. */
export async function countLeads(
  db: Database,
  search: CountSearch,
  lookedAt = lookedAtForAll,
): Promise<LeadCount> {
  const range: Range = { filter: search.filter, towards: 'older', lookedAt }
  return countOn(db, await wayThrough(db, search, range), range)
}

/** Both: where the page is the first one, by one walk. */
export async function findAndCount(db: Database, search: LeadSearch): Promise<CountedPage> {
  const { filter, after, take, towards } = search
  const lookedAt = lookedAtForPage
  if (after !== undefined || towards === 'newer') {
    const [found, count] = await Promise.all([
      findLeads(db, search, lookedAt),
      countLeads(db, search, lookedAt),
    ])
    return { ...found, count }
  }
  const range: Range = { filter, towards, lookedAt }
  const way = await wayThrough(db, search, range)
  if (way.conditions.length === 0) {
    const [rows, count] = await Promise.all([
      readRows(db, way, { range, take: take + 1 }),
      countOn(db, way, range),
    ])
    return { ...pageOf(rows, way, take), count }
  }
  const rows = await readCounted(db, way, { range, take: take + 1 })
  const count = { leads: rows[0]?.n ?? 0, isAll: way.bound === undefined }
  return { ...pageOf(rows, way, take), count }
}

function pageOf(rows: readonly IndexRow[], { bound }: Way, take: number): FoundLeads {
  const leads = rows.slice(0, take).map(toFoundLead)
  const last = leads.at(-1)
  const isFull = rows.length > take && last !== undefined
  return {
    leads,
    next: isFull ? { id: last.id, receivedAt: last.receivedAt } : bound,
    lookedUntil: isFull ? undefined : bound?.receivedAt,
  }
}

async function countOn(db: Database, way: Way, range: Range): Promise<LeadCount> {
  const { walk, conditions } = way
  const isUnasked = conditions.length === 0
  const [only, ...others] = walk.sources
  if (isUnasked && only !== undefined && others.length === 0) {
    const size = await sizeOf(db, only, { range, upTo: countedTo + 1 })
    return { leads: Math.min(size, countedTo), isAll: size <= countedTo }
  }
  const { bound } = isUnasked ? await chooseWalk(db, [walk], range) : way
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (${placesOn({ walk, conditions, bound }, range)}) as found`.execute(
    db,
  )
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
  { filter, keys, now }: CountSearch,
  range: Range,
): Promise<Way> {
  const walks = walksOf(filter, keys)
  const [only, ...others] = walks
  if (only !== undefined && others.length === 0) {
    const conditions = conditionsOf(filter, keys, { walked: only, now })
    // Where nothing more is asked of an entry, none is passed over.
    if (conditions.length === 0) return { walk: only, conditions, bound: undefined }
  }
  const { walk, bound } = await chooseWalk(db, walks, range)
  return { walk, conditions: conditionsOf(filter, keys, { walked: walk, now }), bound }
}

interface Reading {
  readonly range: Range
  readonly take: number
}

async function readRows(db: Database, way: Way, { range, take }: Reading) {
  const { sources } = way.walk
  const { towards } = range
  const parts = sources.map(
    (source) =>
      sql`select * from (select lead_index.* from ${entriesOf(source, way, range)}
        ${inOrder(way.conditions.length === 0 ? source.at : 'lead_index', towards)} limit ${take}) as part`,
  )
  // Whoever is found by two values stands there once.
  const { rows } = await sql<IndexRow>`
    select * from (${sql.join(parts, sql` union `)}) as parts
    ${inOrder('parts', towards)} limit ${take}`.execute(db)
  return rows
}

/** The same, with how many there are in all on the way. */
async function readCounted(db: Database, way: Way, { range, take }: Reading) {
  const { towards } = range
  const { rows } = await sql<IndexRow & { readonly n: number }>`
    with found as materialized (${placesOn(way, range)})
    select lead_index.*, (select count(*) from found) as n
    from (select * from found ${inOrder('found', towards)} limit ${take}) as page
    inner join lead_index on lead_index.lead_id = page.lead_id
    ${inOrder('lead_index', towards)}`.execute(db)
  return rows
}

/** Of everything on the way what fits, each lead once. */
const placesOn = (way: Way, range: Range) =>
  sql.join(
    way.walk.sources.map(
      (source) =>
        sql`select lead_index.received_at, lead_index.lead_id from ${entriesOf(source, way, range)}`,
    ),
    sql` union `,
  )

/**
 * What is asked of each entry is asked after the walk: left to choose, a database that takes the parts for independent of
 * each other reads the whole table.
 */
function entriesOf(source: Source, { conditions, bound }: Way, range: Range) {
  const asked = sql`${joined(source)} where ${within(source, { ...range, bound })}`
  if (conditions.length === 0) return asked
  return sql`(select lead_index.* from ${asked} ${inOrder(source.at, range.towards)} limit ${range.lookedAt + 1}) as lead_index
    where ${sql.join(conditions, sql` and `)}`
}
