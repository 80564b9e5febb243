import { hash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type Kysely, PostgresAdapter, type Selectable, sql, type Transaction } from 'kysely'
import {
  type FunnelCountScope,
  type FunnelFilter,
  type FunnelGroup,
  type FunnelGrouping,
  type FunnelRange,
  funnelDimensions,
  overflowValue,
  type VisitEventCounts,
} from '#domain/measuring/funnel.ts'
import { equalsInAnyCase, isOriginColumn, makeOriginKey } from '#server/leads/lead-origins.ts'
import type { DatabaseTask, LeadDatabase } from '#server/platform/database/lead-database.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

const hourMs = 3_600_000
export const dayMs = 24 * hourMs
export const weekMs = 7 * dayMs

export const toHour = (at: number): number => at - (at % hourMs)
export const startOfUtcDay = (at: number): number => at - (at % dayMs)

/** The first Monday of the Unix epoch, in milliseconds. */
const firstMonday = 4 * dayMs

/** Returns the start of a time's week: midnight (UTC) on Monday. */
export const startOfUtcWeek = (at: number): number => at - ((at - firstMonday) % weekMs)

/** Makes SQL for the value that counts are split by: a column, or the week of the time in the column `at`. */
export function makeSplitColumn(by: FunnelGrouping, at: string) {
  const time = sql.ref(at)
  // The numbers are literals, because PostgreSQL must recognize the same expression in `group by`.
  const [monday, week] = [sql.lit(firstMonday), sql.lit(weekMs)]
  return by === 'week' ? sql`${time} - (${time} - ${monday}) % ${week}` : sql.ref(by)
}

/** The store keeps counts by the hour for 2 days, by the day for 13 weeks, and by the week for 25 months. */
export const keepHourlyCountsMs = 2 * dayMs
export const keepDailyCountsMs = 13 * weekMs
const keepCountsMs = 2 * 365 * dayMs + 31 * dayMs

/** The maximum number of named groups in a period and scope, because anybody can invent campaigns in links. */
export const maxNamedGroups = 1000

export interface CountedVisit {
  /** When the visit began, in epoch milliseconds. */
  readonly at: number
  readonly group: FunnelGroup
  /** See `listVisitEvents`. */
  readonly events: readonly string[]
}

type StoredRow = Selectable<StoreTables['funnel_counts']>
type CountRow = Omit<StoredRow, 'details'> & { readonly details: VisitEventCounts }

/** Counts visits. Should be called last in a transaction, because other processes on PostgreSQL wait for its commit. */
export async function countVisits(
  store: Transaction<StoreTables>,
  visits: readonly CountedVisit[],
): Promise<void> {
  await lockCounts(store)
  await addCounts(
    store,
    visits.flatMap(({ at, group, events }) => {
      const { seen = 0, started = 0, ...details } = Object.fromEntries(events.map((e) => [e, 1]))
      const scopes: readonly FunnelCountScope[] = ['each', 'all', ...funnelDimensions]
      return scopes.map((scope) =>
        toRow({ ...group, scope, from_at: toHour(at), seen, started, details }),
      )
    }),
  )
}

/** Keeps only the values that belong to the row's scope, and adds the group's id. */
function toRow(row: Omit<CountRow, 'group_id'>): CountRow {
  const { scope, from_at, seen, started, details } = row
  const values = Object.fromEntries(
    funnelDimensions.map((name) => [name, scope === 'each' || scope === name ? row[name] : null]),
  )
  // The id is 52 bits of a hash: every process computes the same id, and a JavaScript number holds it exactly.
  const id = hash('sha256', JSON.stringify(Object.values(values))).slice(0, 13)
  const group_id = Number.parseInt(id, 16)
  return { ...values, scope, from_at, group_id, seen, started, details } as CountRow
}

/** Locks the counts until the transaction ends. SQLite needs no lock, because it has only one writer. */
async function lockCounts(store: Transaction<StoreTables>): Promise<void> {
  if (store.getExecutor().adapter instanceof PostgresAdapter) {
    await sql`lock table funnel_counts in exclusive mode`.execute(store)
  }
}

/** 1,000 rows have 12,000 parameters; PostgreSQL allows 65,535 parameters in a statement, and SQLite half as many. */
const rowsPerStatement = 1000

/** Adds rows to the stored counts. A period names only its first groups; later groups count as *other*. */
async function addCounts(store: Transaction<StoreTables>, added: readonly CountRow[]) {
  const [first] = added
  if (first === undefined) return
  // Reads the rows of these groups only: a period may have thousands of rows.
  const ids = added.flatMap((row) => [row.group_id, toRow(toOtherGroup(row)).group_id])
  const ofPeriods = store
    .selectFrom('funnel_counts')
    .where('scope', 'in', [...new Set(added.map(({ scope }) => scope))])
    .where('from_at', 'in', [...new Set(added.map(({ from_at }) => from_at))])
  const stored = await ofPeriods
    .selectAll()
    .where('group_id', 'in', [...new Set(ids)])
    .execute()
  const rows = new Map(stored.map((row) => [keyOf(row), toCountRow(row)]))
  const periods = await ofPeriods
    .select(({ fn }) => ['scope', 'from_at', fn.countAll<number>().as('groups')])
    .groupBy(['scope', 'from_at'])
    .execute()
  const named = new Map(periods.map((row) => [periodOf(row), Number(row.groups)]))
  const changed = new Map<string, CountRow>()
  for (const row of added) {
    const groupCount = named.get(periodOf(row)) ?? 0
    const isNamed = rows.has(keyOf(row)) || groupCount < maxNamedGroups
    const counted = isNamed ? row : toRow(toOtherGroup(row))
    const key = keyOf(counted)
    const known = rows.get(key)
    if (known === undefined) named.set(periodOf(row), groupCount + 1)
    const sum = known ? { ...counted, ...addUp([known, counted]) } : counted
    rows.set(key, sum)
    changed.set(key, sum)
  }
  const values = [...changed.values()].map((row) => ({
    ...row,
    details: JSON.stringify(row.details),
  }))
  for (let begin = 0; begin < values.length; begin += rowsPerStatement) {
    await store
      .insertInto('funnel_counts')
      .values(values.slice(begin, begin + rowsPerStatement))
      .onConflict((conflict) =>
        conflict.columns(['scope', 'from_at', 'group_id']).doUpdateSet(({ ref }) => ({
          seen: ref('excluded.seen'),
          started: ref('excluded.started'),
          details: ref('excluded.details'),
        })),
      )
      .execute()
  }
}

const periodOf = ({ scope, from_at }: Pick<CountRow, 'scope' | 'from_at'>): string =>
  `${scope} ${from_at}`

const keyOf = (row: Pick<CountRow, 'scope' | 'from_at' | 'group_id'>): string =>
  `${periodOf(row)} ${row.group_id}`

const toCountRow = (row: StoredRow): CountRow => ({ ...row, details: JSON.parse(row.details) })

type Added = Pick<CountRow, 'seen' | 'started' | 'details'>

function addUp(rows: readonly Added[]): Added {
  const details: Record<string, number> = {}
  let [seen, started] = [0, 0]
  for (const row of rows) {
    seen += Number(row.seen)
    started += Number(row.started)
    for (const event in row.details) {
      details[event] = (details[event] ?? 0) + (row.details[event] ?? 0)
    }
  }
  return { seen, started, details }
}

export const toOtherGroup = <Group extends Omit<FunnelGroup, 'area'>>(group: Group): Group => ({
  ...group,
  source: group.source && overflowValue,
  campaign: group.campaign && overflowValue,
  affiliate: group.affiliate && overflowValue,
  program: null,
})

/** How many groups one transaction moves: on SQLite leads wait meanwhile. */
const rowsPerMove = 100
const betweenMovesMs = 25

/** Merges old hours into days, and old days into weeks. Several processes may call this function at once. */
export async function rollUpVisitCounts(
  { db, run }: Pick<LeadDatabase, 'db' | 'run'>,
  now: number,
): Promise<void> {
  for await (const from of periodsBefore(db, now - keepHourlyCountsMs)) {
    const to = from < now - keepDailyCountsMs ? startOfUtcWeek(from) : startOfUtcDay(from)
    const isExpired = from < now - keepCountsMs
    if (!isExpired && from === to) continue
    // `periodsBefore` finds a period by its count in the scope `all`, which therefore moves last.
    for (const scope of ['each', ...funnelDimensions, 'all'] as const) {
      while (await run(moveCounts, { scope, from, to: isExpired ? undefined : to })) {
        await setTimeout(betweenMovesMs)
      }
    }
  }
}
/** Finds the start of each stored period with one read of the table's key, however many rows the period has. */
async function* periodsBefore(db: Kysely<StoreTables>, end: number): AsyncGenerator<number> {
  for (let last = -1; ; ) {
    const { from } = await db
      .selectFrom('funnel_counts')
      .select(({ fn }) => fn.min('from_at').as('from'))
      .where('scope', '=', 'all')
      .where('from_at', '>', last)
      .executeTakeFirstOrThrow()
    if (from === null || from >= end) return
    yield from
    last = from
  }
}

interface CountMove {
  readonly scope: FunnelCountScope
  readonly from: number
  /** The start of the new period; undefined to delete the counts. */
  readonly to: number | undefined
}

/** Moves some of a period's counts, most visits first. Returns whether there may be more. */
export const moveCounts: DatabaseTask<CountMove, boolean> = {
  name: 'moveCounts',
  run: (db, move) =>
    db.transaction().execute(async (store) => {
      await lockCounts(store)
      const ofPeriod = ({ scope, from }: CountMove) =>
        store.selectFrom('funnel_counts').where('scope', '=', scope).where('from_at', '=', from)
      const rows = await store
        .deleteFrom('funnel_counts')
        .where('scope', '=', move.scope)
        .where('from_at', '=', move.from)
        .where(
          'group_id',
          'in',
          ofPeriod(move)
            .select('group_id')
            .orderBy('seen', 'desc')
            .orderBy('group_id')
            .limit(rowsPerMove),
        )
        .returningAll()
        .execute()
      const { to } = move
      if (to !== undefined) {
        const moved = rows.map((row) => ({ ...toCountRow(row), from_at: to }))
        await addCounts(
          store,
          moved.toSorted((one, other) => other.seen - one.seen),
        )
      }
      return rows.length === rowsPerMove
    }),
}

export interface FunnelQuery extends FunnelRange {
  readonly filter: FunnelFilter
  /** Whether the filter leaves out leads whose filtered value contains the person's own data. */
  readonly hidesPersonalOrigins?: boolean
}

export interface FunnelSplitQuery extends FunnelQuery {
  readonly by: FunnelGrouping
}

const selectCounts = ({ since, until, filter }: FunnelQuery, by?: FunnelGrouping) => {
  const dimensions = funnelDimensions.filter((name) => name in filter || name === by)
  const [first = 'all'] = dimensions
  const scope: FunnelCountScope = dimensions.length > 1 ? 'each' : first
  return sql`from funnel_counts
    where scope = ${scope} and from_at >= ${since} and from_at < ${until} and ${makeFilterCondition(filter)}`
}

/** Finds the start of the first period with counted visits of a filter; undefined without visits. */
export async function findFirstVisits(
  db: Kysely<StoreTables>,
  filter: FunnelFilter,
): Promise<number | undefined> {
  const all = { since: 0, until: Number.MAX_SAFE_INTEGER, filter }
  const { rows } = await sql<{ at: number }>`
    select from_at as at ${selectCounts(all)} order by from_at limit 1`.execute(db)
  return rows[0]?.at
}

/** Adds up counts of visits. A visit counts in its hour, after 2 days in its day, and after 13 weeks in its week. */
export async function readVisitCounts(
  db: Kysely<StoreTables>,
  query: FunnelQuery,
): Promise<VisitEventCounts> {
  const { rows } = await sql<StoredRow>`
    select seen, started, details ${selectCounts(query)}`.execute(db)
  const { details, ...counts } = addUp(rows.map(toCountRow))
  return { ...counts, ...details }
}

export interface GroupVisitCount {
  /** The dimension's value, or the start of the week; null if the value is unknown. */
  readonly value: string | number | null
  readonly seen: number
  readonly started: number
}

/** Counts visits by the values of one dimension, or by week. */
export async function readVisitCountsByGroup(
  db: Kysely<StoreTables>,
  query: FunnelSplitQuery,
): Promise<readonly GroupVisitCount[]> {
  const value = makeSplitColumn(query.by, 'from_at')
  const { rows } = await sql<GroupVisitCount>`
    select ${value} as value, sum(seen) as seen, sum(started) as started
    ${selectCounts(query, query.by)} group by ${value}`.execute(db)
  return rows.map((row) => ({ ...row, seen: Number(row.seen), started: Number(row.started) }))
}

export const makeFilterCondition = (
  filter: FunnelFilter,
  table: 'funnel_counts' | 'lead_index' = 'funnel_counts',
) =>
  sql.join(
    [
      sql`1 = 1`,
      ...funnelDimensions
        .filter((dimension) => dimension in filter)
        .map((dimension) => {
          const wanted = filter[dimension] ?? null
          const column = sql.ref(dimension)
          if (Array.isArray(wanted)) {
            return wanted.length === 0 ? sql`1 = 0` : sql`${column} in (${sql.join(wanted)})`
          }
          if (wanted === null) return sql`${column} is null`
          // Operators type these values; the ids in a list belong to one affiliate and match exactly.
          if (typeof wanted === 'string' && isOriginColumn(dimension)) {
            return table === 'lead_index'
              ? sql`${sql.ref(`${dimension}_key`)} = ${makeOriginKey(wanted)}`
              : equalsInAnyCase(dimension, wanted)
          }
          return sql`${column} = ${wanted}`
        }),
    ],
    sql` and `,
  )
