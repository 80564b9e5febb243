import { type Kysely, type RawBuilder, sql } from 'kysely'
import { isErrorGroupId } from '#domain/delivery/error-group.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { LeadFilter } from '#domain/lead/lead-filter.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { heldCondition, inDoubtCondition } from './lead-status.ts'
import { makeSignalKey, parseReference } from './search-keys.ts'

export type LeadCursor = Pick<Lead, 'id' | 'receivedAt'>

export interface CountSearch {
  readonly filter: LeadFilter
  /** Keyed hashes of a person; a lead with one of these hashes matches. Undefined without a search for a person. */
  readonly keys: readonly string[] | undefined
  /** Epoch milliseconds, to distinguish valid leases from expired ones. */
  readonly now: number
}

export interface LeadSearch extends CountSearch {
  /** The last lead of the previous page. */
  readonly after?: LeadCursor | undefined
  readonly towards: 'older' | 'newer'
  readonly take: number
}

export interface FoundLeads {
  readonly leads: readonly LeadCursor[]
  readonly next: LeadCursor | undefined
  /**
   * The time at which the search reached its limit, if it did so before it filled the page. Leads beyond this time were
   * not searched. Epoch milliseconds.
   */
  readonly lookedUntil: number | undefined
}

export interface LeadCount {
  readonly leads: number
  /** False if there are, or may be, more leads. */
  readonly isAll: boolean
}

type Database = Kysely<StoreTables>
type Condition = RawBuilder<unknown>

/**
 * The most rows that a search with several filters reads. The search reads rows from the index of the filter that is
 * usually the rarest, and checks the other filters on each row. The limit bounds every query, whatever plan the
 * database chooses.
 */
const maxRead = 10_000

/** The console shows larger counts as "10,000+". */
const maxCounted = 10_000

export async function findLeads(db: Database, search: LeadSearch): Promise<FoundLeads> {
  const { take } = search
  const reading = await prepareRead(db, search, search)
  const { order, end } = reading
  const matches = reading.sources.map((source) => selectMatches(source, reading, take + 1))
  const { rows } = await sql<LeadCursor>`
    select lead_id as id, received_at as "receivedAt" from (${sql.join(matches, sql` union `)}) as lead_index
    ${makeOrderBy(order, sql`received_at`, sql`lead_id`)} limit ${take + 1}`.execute(db)
  const leads = rows.slice(0, take)
  const last = leads.at(-1)
  const isFull = rows.length > take && last !== undefined
  return {
    leads,
    next: isFull ? last : end,
    lookedUntil: isFull ? undefined : end?.receivedAt,
  }
}

/** Counts the leads that match a filter, up to 10,000; with several filters, among the rows that a search may read. */
export async function countLeads(db: Database, search: CountSearch): Promise<LeadCount> {
  const reading = await prepareRead(db, search, { towards: 'older' })
  const ids = reading.sources.map(
    (source) =>
      sql`select lead_id from (${selectMatches(source, reading, maxCounted + 1)}) as part`,
  )
  const { rows } = await sql<{ n: number }>`select count(*) as n from (
    ${sql.join(ids, reading.mayRepeat ? sql` union ` : sql` union all `)}) as found`.execute(db)
  const found = Number(rows[0]?.n ?? 0)
  return {
    leads: Math.min(found, maxCounted),
    isAll: reading.end === undefined && found <= maxCounted,
  }
}

/** The rows with one value of a filter, from an index that sorts them by time. */
interface Source {
  /** The table of the index, joined with `lead_index`. */
  readonly from: RawBuilder<unknown>
  readonly time: RawBuilder<unknown>
  readonly id: RawBuilder<unknown>
  readonly where: Condition
}

type Direction = Pick<LeadSearch, 'after' | 'towards'>

interface Reading extends Direction {
  readonly filter: LeadFilter
  readonly sources: readonly Source[]
  /** True if two sources may contain the same lead. */
  readonly mayRepeat: boolean
  /** The conditions of the filters that the search checks on each row. */
  readonly conditions: readonly Condition[]
  /** The last row to read; undefined if all rows are read. */
  readonly end: LeadCursor | undefined
  readonly order: RawBuilder<unknown>
}

async function prepareRead(
  db: Database,
  search: CountSearch,
  { after, towards }: Direction,
): Promise<Reading> {
  const parts = toFilterParts(search)
  const indexedPart = parts.find(({ sources }) => sources.length > 0)
  const conditions = parts.filter((part) => part !== indexedPart).map(({ condition }) => condition)
  const reading = {
    filter: search.filter,
    sources: indexedPart?.sources ?? [makeIndexSource(sql`1 = 1`)],
    mayRepeat: indexedPart?.mayRepeat ?? false,
    conditions,
    after,
    towards,
    end: undefined,
    order: towards === 'older' ? sql`desc` : sql`asc`,
  }
  return conditions.length === 0 ? reading : { ...reading, end: await findReadEnd(db, reading) }
}

/**
 * Finds the last row that a search may read. If a filter has several values, each value's rows reach the limit at
 * another place; the nearest place ends the search, so that no lead is skipped.
 */
async function findReadEnd(db: Database, reading: Reading): Promise<LeadCursor | undefined> {
  const { sources, order } = reading
  const limitPerSource = Math.ceil(maxRead / sources.length)
  const places = sources.map(
    (source) => sql`
      select * from (
        select ${source.time} as "receivedAt", ${source.id} as id
        from ${source.from} where ${makeRangeConditions(source, reading)}
        ${makeOrderBy(order, source.time, source.id)} limit 1 offset ${limitPerSource}) as place`,
  )
  const { rows } = await sql<LeadCursor>`
    select * from (${sql.join(places, sql` union all `)}) as places
    ${makeOrderBy(order, sql`"receivedAt"`, sql`id`)} limit 1`.execute(db)
  return rows[0]
}

/** @param limit the most matches, if there are no other filters */
function selectMatches(source: Source, reading: Reading, limit: number): RawBuilder<unknown> {
  const { conditions, order } = reading
  const read = sql`
    select lead_index.* from ${source.from} where ${makeRangeConditions(source, reading)}
    ${makeOrderBy(order, source.time, source.id)}
    limit ${conditions.length === 0 ? limit : maxRead + 1}`
  if (conditions.length === 0) return sql`select * from (${read}) as part`
  // The subquery's limit keeps the database from merging both queries, which might read the whole table.
  return sql`select lead_index.* from (${read}) as lead_index where ${allOf(conditions)}`
}

const makeOrderBy = (order: RawBuilder<unknown>, time: Source['time'], id: Source['id']) =>
  sql`order by ${time} ${order}, ${id} ${order}`

function makeRangeConditions(
  { where, time, id }: Source,
  { filter, after, end, towards }: Reading,
): Condition {
  const [beyond, upTo] = towards === 'older' ? [sql`<`, sql`>=`] : [sql`>`, sql`<=`]
  return allOf([
    where,
    ...(filter.since === undefined ? [] : [sql`${time} >= ${filter.since}`]),
    ...(filter.until === undefined ? [] : [sql`${time} < ${filter.until}`]),
    ...(after ? [sql`(${time}, ${id}) ${beyond} (${after.receivedAt}, ${after.id})`] : []),
    ...(end ? [sql`(${time}, ${id}) ${upTo} (${end.receivedAt}, ${end.id})`] : []),
  ])
}

interface FilterPart {
  /** One index range for each value; empty if an index would return too many leads. */
  readonly sources: readonly Source[]
  readonly condition: Condition
  /** True if one lead may match two of the values. */
  readonly mayRepeat?: boolean
}

/** The filters that are set, except the time, with the rarest kinds first. */
function toFilterParts({ filter, keys, now }: CountSearch): readonly FilterPart[] {
  const { status, signal, error, restored, returned, held } = filter
  const byStatus = matchColumn('status', [
    ...new Set(status.map((one) => (one === 'pending' || one === 'leased' ? 'owed' : one))),
  ])
  const includesDelivered = status.includes('delivered')
  return [
    ...(keys === undefined ? [] : [matchKeys(keys)]),
    ...restored.map(() => ({ sources: [restoredSource], condition: isRestored })),
    ...makeFilterPart(returned.map(() => sql`lead_index.returned_at is not null`)),
    ...(held.length === 0 ? [] : [matchHeld(held)]),
    ...(signal.length === 0 ? [] : [matchKeys(signal.map(makeSignalKey))]),
    ...makeFilterPart(
      error.map((one) => makeEquals(isErrorGroupId(one) ? 'error_group' : 'error', one)),
      { mayRepeat: true },
    ),
    ...(includesDelivered ? [] : byStatus),
    ...matchColumn('affiliate', filter.affiliate),
    ...matchColumn('campaign', filter.campaign),
    ...matchColumn('source', filter.source),
    ...matchColumn('program', filter.program),
    ...matchColumn('state', filter.state),
    ...(includesDelivered ? byStatus : []),
    ...matchColumn('area', filter.area),
    ...makeLeaseCondition(status, now),
  ]
}

/** Combines the conditions of a filter's values; empty if no value is set. */
const makeFilterPart = (
  conditions: readonly Condition[],
  part: Partial<FilterPart> = {},
): readonly FilterPart[] =>
  conditions.length === 0
    ? []
    : [{ sources: conditions.map(makeIndexSource), condition: anyOf(conditions), ...part }]

const matchColumn = (column: string, values: readonly (string | number)[]) =>
  makeFilterPart(values.map((value) => makeEquals(column, value)))

const makeEquals = (column: string, value: string | number): Condition =>
  sql`${sql.ref(`lead_index.${column}`)} = ${value}`

const anyOf = (conditions: readonly Condition[]) => sql`(${sql.join(conditions, sql` or `)})`
const allOf = (conditions: readonly Condition[]) => sql.join(conditions, sql` and `)

const makeIndexSource = (where: Condition): Source => ({
  from: sql`lead_index`,
  time: sql.ref('lead_index.received_at'),
  id: sql.ref('lead_index.lead_id'),
  where,
})

const restoredSource: Source = {
  from: sql`deliveries inner join lead_index on lead_index.lead_id = deliveries.lead_id`,
  time: sql.ref('deliveries.created_at'),
  id: sql.ref('deliveries.lead_id'),
  where: inDoubtCondition,
}

const isRestored = sql`exists (
  select 1 from deliveries where deliveries.lead_id = lead_index.lead_id and ${inDoubtCondition})`

/** Matches leads that one of the caps holds; `any` stands for all caps. */
function matchHeld(caps: readonly string[]): FilterPart {
  const held = sql`held_deliveries inner join deliveries on deliveries.id = held_deliveries.delivery_id`
  const isOfCap = caps.includes('any')
    ? heldCondition
    : sql`held_deliveries.cap_id in (${sql.join(caps)}) and ${heldCondition}`
  return {
    sources: [
      {
        ...makeIndexSource(isOfCap),
        from: sql`${held} inner join lead_index on lead_index.lead_id = deliveries.lead_id`,
      },
    ],
    condition: sql`exists (
      select 1 from ${held} where deliveries.lead_id = lead_index.lead_id and ${isOfCap})`,
  }
}

/** Tells pending leads from leased ones: `lead_index` stores both as `owed`, and only the lease's end differs. */
function makeLeaseCondition(status: LeadFilter['status'], now: number): readonly FilterPart[] {
  const isLeased = status.includes('leased')
  if (isLeased === status.includes('pending')) return []
  const leased = sql`exists (
    select 1 from deliveries where deliveries.lead_id = lead_index.lead_id
    and deliveries.settled_as is null and deliveries.leased_until > ${now})`
  const condition = sql`(lead_index.status <> 'owed' or ${isLeased ? leased : sql`not ${leased}`})`
  return [{ sources: [], condition }]
}

/** Matches leads that have one of the keys, or whose id is a reference among the keys. */
function matchKeys(keys: readonly string[]): FilterPart {
  const references = keys.flatMap((key) => parseReference(key) ?? [])
  const hashes = keys.filter((key) => parseReference(key) === undefined)
  const isReference =
    references.length === 0 ? [] : [sql`lead_index.lead_id in (${sql.join(references)})`]
  const byKey = (key: string): Source => ({
    from: sql`lead_keys inner join lead_index on lead_index.lead_id = lead_keys.lead_id`,
    time: sql.ref('lead_keys.received_at'),
    id: sql.ref('lead_keys.lead_id'),
    where: sql`lead_keys.key = ${key}`,
  })
  const hasHash = sql`exists (
    select 1 from lead_keys where lead_keys.key in (${sql.join(hashes)})
    and lead_keys.received_at = lead_index.received_at and lead_keys.lead_id = lead_index.lead_id)`
  return {
    sources: [...isReference.map(makeIndexSource), ...hashes.map(byKey)],
    condition: anyOf([
      ...isReference,
      ...(hashes.length === 0 ? [] : [hasHash]),
      ...(keys.length === 0 ? [sql`1 = 0`] : []),
    ]),
    mayRepeat: true,
  }
}
