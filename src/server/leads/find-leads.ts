import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { LimitedCount } from '#domain/delivery/deliveries-view.ts'
import { isErrorGroupId } from '#domain/delivery/error-group.ts'
import { countedRejectionCauses } from '#domain/delivery/outcome.ts'
import { makeOriginKey } from '#domain/lead/attribution.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { LeadFilter } from '#domain/lead/lead-filter.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { isPersonalOrigin, type OriginColumn } from './lead-origins.ts'
import { heldCondition, inDoubtCondition } from './lead-status.ts'
import { makeAbuseSignalKey, parseReferenceKey } from './search-keys.ts'

export type LeadCursor = Pick<Lead, 'id' | 'receivedAt'>

export interface SearchCriteria {
  readonly filter: LeadFilter
  /** The keys of an operator's search, such as hashes of a person's data. A matching lead has one of the keys. */
  readonly keys: readonly string[] | undefined
  /** Epoch milliseconds, to distinguish valid leases from expired ones. */
  readonly now: number
  /** Whether filters by values of links leave out values that contain the person's own data. */
  readonly hidesPersonalOrigins?: boolean
}

export interface LeadSearch extends SearchCriteria {
  /** The last lead of the previous page. */
  readonly after?: LeadCursor | undefined
  readonly towards: 'older' | 'newer'
  readonly take: number
}

type Db = Kysely<StoreTables>
type Condition = RawBuilder<unknown>

/**
 * The most rows that a search with several fields reads. The search reads rows from the index of the field whose values
 * are usually the rarest, and checks the other fields on each row. The limit bounds every query, whatever plan the
 * database chooses.
 */
const maxRead = 10_000

/** The console shows larger counts as "10,000+". */
const maxCounted = 10_000

export async function findLeads(db: Db, search: LeadSearch) {
  const { take } = search
  const plan = await planRead(db, search)
  const { order, end } = plan
  const matches = plan.ranges.map((range) => selectMatches(range, plan, take + 1))
  const { rows } = await sql<LeadCursor>`
    select lead_id as id, received_at as "receivedAt" from (${sql.join(matches, sql` union `)}) as lead_index
    ${makeOrderBy(order, sql`received_at`, sql`lead_id`)} limit ${take + 1}`.execute(db)
  const leads = rows.slice(0, take)
  const last = leads.at(-1)
  const isFull = rows.length > take && last !== undefined
  return {
    leads,
    next: isFull ? last : end,
    /** If the search stopped at its limit, the time of receipt of the last lead that it read, in epoch milliseconds. */
    searchedUntil: isFull ? undefined : end?.receivedAt,
  }
}

/** Counts the leads that match a filter, up to 10,000; with several fields, counts only rows that a search reads. */
export async function countMatchingLeads(db: Db, search: SearchCriteria): Promise<LimitedCount> {
  const plan = await planRead(db, { ...search, towards: 'older' })
  const ids = plan.ranges.map(
    (range) => sql`select lead_id from (${selectMatches(range, plan, maxCounted + 1)}) as part`,
  )
  const { rows } = await sql<{ n: number }>`select count(*) as n from (
    ${sql.join(ids, plan.mayRepeat ? sql` union ` : sql` union all `)}) as found`.execute(db)
  const found = Number(rows[0]?.n ?? 0)
  return {
    count: Math.min(found, maxCounted),
    isAll: plan.end === undefined && found <= maxCounted,
  }
}

/** The rows with one value of a field, from an index that sorts them by time. */
interface IndexRange {
  /** The table of the index, joined with `lead_index`. */
  readonly from: RawBuilder<unknown>
  readonly time: RawBuilder<unknown>
  readonly id: RawBuilder<unknown>
  readonly where: Condition
}

interface ReadPlan extends Pick<LeadSearch, 'filter' | 'after' | 'towards'> {
  readonly ranges: readonly IndexRange[]
  /** True if two ranges may contain the same lead. */
  readonly mayRepeat: boolean
  /** The conditions of the fields that the search checks on each row. */
  readonly conditions: readonly Condition[]
  /** The last row to read; undefined if all rows are read. */
  readonly end: LeadCursor | undefined
  readonly order: RawBuilder<unknown>
}

async function planRead(db: Db, search: Omit<LeadSearch, 'take'>): Promise<ReadPlan> {
  const { after, towards } = search
  const matches = matchFields(search)
  const indexed = matches.find(({ ranges }) => ranges.length > 0)
  const conditions = matches.filter((one) => one !== indexed).map(({ condition }) => condition)
  const plan = {
    filter: search.filter,
    ranges: indexed?.ranges ?? [makeLeadRange(sql`1 = 1`)],
    mayRepeat: indexed?.mayRepeat ?? false,
    conditions,
    after,
    towards,
    end: undefined,
    order: towards === 'older' ? sql`desc` : sql`asc`,
  }
  return conditions.length === 0 ? plan : { ...plan, end: await findReadEnd(db, plan) }
}

/**
 * Finds the last row that a search may read. Each value of the field has its own range of rows, and each range reaches
 * its limit at another lead. The search stops at the first of these leads in search order, so that it skips none.
 */
async function findReadEnd(db: Db, plan: ReadPlan): Promise<LeadCursor | undefined> {
  const { ranges, order } = plan
  const limitPerRange = Math.ceil(maxRead / ranges.length)
  const ends = ranges.map(
    (range) => sql`
      select * from (
        select ${range.time} as "receivedAt", ${range.id} as id
        from ${range.from} where ${makeRangeConditions(range, plan)}
        ${makeOrderBy(order, range.time, range.id)} limit 1 offset ${limitPerRange}) as range_end`,
  )
  const { rows } = await sql<LeadCursor>`
    select * from (${sql.join(ends, sql` union all `)}) as range_ends
    ${makeOrderBy(order, sql`"receivedAt"`, sql`id`)} limit 1`.execute(db)
  return rows[0]
}

/** @param limit the most rows to read; replaced by `maxRead + 1` if the search checks a further field of each row */
function selectMatches(range: IndexRange, plan: ReadPlan, limit: number): RawBuilder<unknown> {
  const { conditions, order } = plan
  const read = sql`
    select lead_index.* from ${range.from} where ${makeRangeConditions(range, plan)}
    ${makeOrderBy(order, range.time, range.id)}
    limit ${conditions.length === 0 ? limit : maxRead + 1}`
  if (conditions.length === 0) return sql`select * from (${read}) as part`
  // Because of the subquery's limit, the database can't merge it with the outer query and then read the whole table.
  return sql`select lead_index.* from (${read}) as lead_index where ${allOf(conditions)}`
}

const makeOrderBy = (order: RawBuilder<unknown>, time: IndexRange['time'], id: IndexRange['id']) =>
  sql`order by ${time} ${order}, ${id} ${order}`

function makeRangeConditions(
  { where, time, id }: IndexRange,
  { filter, after, end, towards }: ReadPlan,
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

interface FieldMatch {
  /** One index range for each value; empty if an index would return too many leads. */
  readonly ranges: readonly IndexRange[]
  readonly condition: Condition
  /** True if one lead may match two values of the field. */
  readonly mayRepeat?: boolean
}

/** Lists how to match each field that is set, except the time. Fields with usually rare values come first. */
function matchFields({ filter, keys, now, ...criteria }: SearchCriteria): readonly FieldMatch[] {
  const { status, signal, error, restored, returned, rejected, held } = filter
  const byStatus = matchColumn('status', [
    ...new Set(status.map((one) => (one === 'pending' || one === 'leased' ? 'owed' : one))),
  ])
  const matchOrigin = (column: OriginColumn & keyof LeadFilter) => {
    const origins = [...new Set(filter[column].map(makeOriginKey))]
    const conditions = origins.map((key) => makeEquals(`${column}_key`, key))
    if (!criteria.hidesPersonalOrigins) return matchConditions(conditions)
    const isShown = sql`not ${isPersonalOrigin(column)}`
    return matchConditions(conditions.map((condition) => allOf([condition, isShown])))
  }
  const includesDelivered = status.includes('delivered')
  return [
    ...(keys === undefined ? [] : [matchKeys(keys)]),
    ...restored.map(() => ({ ranges: [restoredRange], condition: isRestored })),
    ...matchConditions(returned.map(() => sql`lead_index.returned_at is not null`)),
    ...(held.length === 0 ? [] : [matchHeld(held)]),
    ...matchColumn(
      'rejected_because',
      rejected.includes('any') ? countedRejectionCauses : rejected,
    ),
    ...(signal.length === 0 ? [] : [matchKeys(signal.map(makeAbuseSignalKey))]),
    ...matchConditions(
      error.map((one) => makeEquals(isErrorGroupId(one) ? 'error_group' : 'error', one)),
      true,
    ),
    ...(includesDelivered ? [] : byStatus),
    ...matchOrigin('affiliate'),
    ...matchOrigin('content'),
    ...matchOrigin('campaign'),
    ...matchOrigin('medium'),
    ...matchOrigin('source'),
    ...matchColumn('program', filter.program),
    ...matchColumn('state', filter.state),
    ...(includesDelivered ? byStatus : []),
    ...matchColumn('area', filter.area),
    ...makeLeaseCondition(status, now),
  ]
}

/** Matches leads that meet one of the conditions; empty without conditions. */
const matchConditions = (
  conditions: readonly Condition[],
  mayRepeat = false,
): readonly FieldMatch[] =>
  conditions.length === 0
    ? []
    : [{ ranges: conditions.map(makeLeadRange), condition: anyOf(conditions), mayRepeat }]

const matchColumn = (column: string, values: readonly (string | number)[]) =>
  matchConditions(values.map((value) => makeEquals(column, value)))

const makeEquals = (column: string, value: string | number): Condition =>
  sql`${sql.ref(`lead_index.${column}`)} = ${value}`

const anyOf = (conditions: readonly Condition[]) => sql`(${sql.join(conditions, sql` or `)})`
const allOf = (conditions: readonly Condition[]) => sql.join(conditions, sql` and `)

const makeLeadRange = (where: Condition): IndexRange => ({
  from: sql`lead_index`,
  time: sql.ref('lead_index.received_at'),
  id: sql.ref('lead_index.lead_id'),
  where,
})

const restoredRange: IndexRange = {
  from: sql`deliveries inner join lead_index on lead_index.lead_id = deliveries.lead_id`,
  time: sql.ref('deliveries.created_at'),
  id: sql.ref('deliveries.lead_id'),
  where: inDoubtCondition,
}

const isRestored = sql`exists (
  select 1 from deliveries where deliveries.lead_id = lead_index.lead_id and ${inDoubtCondition})`

/** Matches leads that one of the caps holds; `any` stands for all caps. */
function matchHeld(caps: readonly string[]): FieldMatch {
  const held = sql`held_deliveries inner join deliveries on deliveries.id = held_deliveries.delivery_id`
  const isOfCap = caps.includes('any')
    ? heldCondition
    : sql`held_deliveries.cap_id in (${sql.join(caps)}) and ${heldCondition}`
  return {
    ranges: [
      {
        ...makeLeadRange(isOfCap),
        from: sql`${held} inner join lead_index on lead_index.lead_id = deliveries.lead_id`,
      },
    ],
    condition: sql`exists (
      select 1 from ${held} where deliveries.lead_id = lead_index.lead_id and ${isOfCap})`,
  }
}

/** Tells pending from leased leads by the lease's end, because `lead_index` stores both as `owed`. */
function makeLeaseCondition(status: LeadFilter['status'], now: number): readonly FieldMatch[] {
  const isLeased = status.includes('leased')
  if (isLeased === status.includes('pending')) return []
  const leased = sql`exists (
    select 1 from deliveries where deliveries.lead_id = lead_index.lead_id
    and deliveries.settled_as is null and deliveries.leased_until > ${now})`
  const condition = sql`(lead_index.status <> 'owed' or ${isLeased ? leased : sql`not ${leased}`})`
  return [{ ranges: [], condition }]
}

/** Matches leads that have one of the keys, or whose id is a reference among the keys. */
function matchKeys(keys: readonly string[]): FieldMatch {
  const references = keys.flatMap((key) => parseReferenceKey(key) ?? [])
  const hashes = keys.filter((key) => parseReferenceKey(key) === undefined)
  const isReference =
    references.length === 0 ? [] : [sql`lead_index.lead_id in (${sql.join(references)})`]
  const byKey = (key: string): IndexRange => ({
    from: sql`lead_keys inner join lead_index on lead_index.lead_id = lead_keys.lead_id`,
    time: sql.ref('lead_keys.received_at'),
    id: sql.ref('lead_keys.lead_id'),
    where: sql`lead_keys.key = ${key}`,
  })
  const hasHash = sql`exists (
    select 1 from lead_keys where lead_keys.key in (${sql.join(hashes)})
    and lead_keys.received_at = lead_index.received_at and lead_keys.lead_id = lead_index.lead_id)`
  return {
    ranges: [...isReference.map(makeLeadRange), ...hashes.map(byKey)],
    condition: anyOf([
      ...isReference,
      ...(hashes.length === 0 ? [] : [hasHash]),
      ...(keys.length === 0 ? [sql`1 = 0`] : []),
    ]),
    mayRepeat: true,
  }
}
