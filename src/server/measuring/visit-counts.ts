import { hash } from 'node:crypto'
import { type Kysely, PostgresAdapter, type Selectable, sql, type Transaction } from 'kysely'
import { type Day, toDay } from '#domain/calendar.ts'
import { day } from '#domain/durations.ts'
import {
  type FunnelCountScope,
  type FunnelGroup,
  funnelDimensions,
  overflowValue,
} from '#domain/measuring/funnel.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

/** The store keeps counts for 25 months. */
const keepCountsMs = (2 * 365 + 31) * day

/** The maximum number of named groups in a day and scope, because anybody can invent campaigns in links. */
export const maxNamedGroups = 2000

export interface CountedVisit {
  /** When the visit began, in epoch milliseconds. */
  readonly at: number
  readonly group: FunnelGroup
  /** See `listVisitEvents`. */
  readonly events: readonly string[]
}

type StoredRow = Selectable<StoreTables['funnel_counts']>

const scopes: readonly FunnelCountScope[] = ['each', 'all', ...funnelDimensions]

/** 1,000 rows have 12,000 parameters; PostgreSQL allows 65,535 parameters in a statement, and SQLite half as many. */
const rowsPerStatement = 1000

/** When visits are counted, in epoch milliseconds, and in the days of which time zone. */
export interface CountingTime {
  readonly now: number
  readonly zone: string
}

/**
 * Counts visits, each in the day when it began. A day names only its first groups; later groups count as *other*. Should
 * be called last in a transaction, because other processes on PostgreSQL wait for its commit.
 */
export async function countVisits(
  tx: Transaction<StoreTables>,
  visits: readonly CountedVisit[],
  { now, zone }: CountingTime,
): Promise<void> {
  if (visits.length === 0) return
  // SQLite needs no lock, because it has only one writer.
  if (tx.getExecutor().adapter instanceof PostgresAdapter) {
    await sql`lock table funnel_counts in exclusive mode`.execute(tx)
  }
  await rememberZone(tx, { now, zone })
  const added = visits.flatMap(({ at, group, events }) => {
    const date = toDay(at, zone)
    return scopes.map((scope) => ({
      named: makeKey(scope, date, group),
      other: makeKey(scope, date, toOtherGroup(group)),
      events,
    }))
  })
  const ofDays = tx
    .selectFrom('funnel_counts')
    .where('scope', 'in', scopes)
    .where('from_at', 'in', [...new Set(added.map(({ named }) => named.from_at))])
  // Reads the rows of these groups only: a day may have thousands of rows.
  const ids = added.flatMap(({ named, other }) => [named.group_id, other.group_id])
  const stored = await ofDays
    .selectAll()
    .where('group_id', 'in', [...new Set(ids)])
    .execute()
  const rows = new Map(
    stored.map((row) => [
      formatKey(row),
      { ...row, details: JSON.parse(row.details) as Record<string, number> },
    ]),
  )
  const sizes = await ofDays
    .select(({ fn }) => ['scope', 'from_at', fn.countAll<number>().as('groups')])
    .groupBy(['scope', 'from_at'])
    .execute()
  const sizeOf = new Map(sizes.map((row) => [`${row.scope} ${row.from_at}`, Number(row.groups)]))
  const changed = new Set<Omit<StoredRow, 'details'> & { details: Record<string, number> }>()
  for (const { named, other, events } of added) {
    const day = `${named.scope} ${named.from_at}`
    const size = sizeOf.get(day) ?? 0
    const key = rows.has(formatKey(named)) || size < maxNamedGroups ? named : other
    let row = rows.get(formatKey(key))
    if (row === undefined) {
      row = { ...key, seen: 0, started: 0, details: {} }
      rows.set(formatKey(key), row)
      sizeOf.set(day, size + 1)
    }
    for (const event of events) {
      if (event === 'seen' || event === 'started') row[event]++
      else row.details[event] = (row.details[event] ?? 0) + 1
    }
    changed.add(row)
  }
  const values = [...changed].map((row) => ({ ...row, details: JSON.stringify(row.details) }))
  for (let begin = 0; begin < values.length; begin += rowsPerStatement) {
    await tx
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

/** Stores the zone if it differs from the zone of the latest counts, so that pages can say what was counted in which days. */
async function rememberZone(
  tx: Transaction<StoreTables>,
  { now, zone }: CountingTime,
): Promise<void> {
  const zones = tx.selectFrom('counted_zones').select('zone').orderBy('began_at', 'desc').limit(1)
  if ((await zones.executeTakeFirst())?.zone === zone) return
  await tx
    .insertInto('counted_zones')
    .values({ began_at: now, zone })
    .onConflict((conflict) => conflict.column('began_at').doUpdateSet({ zone }))
    .execute()
}

/** Makes the columns that identify a row of counts, with only the values that belong to the row's scope. */
function makeKey(scope: FunnelCountScope, date: Day, group: FunnelGroup) {
  const values = Object.fromEntries(
    funnelDimensions.map((name) => [name, scope === 'each' || scope === name ? group[name] : null]),
  ) as Pick<StoredRow, keyof FunnelGroup>
  // The id is 52 bits of a hash: every process computes the same id, and a JavaScript number holds it exactly.
  const id = hash('sha256', JSON.stringify(Object.values(values))).slice(0, 13)
  return { ...values, scope, from_at: date, group_id: Number.parseInt(id, 16) }
}

const formatKey = (row: Pick<StoredRow, 'scope' | 'from_at' | 'group_id'>): string =>
  `${row.scope} ${row.from_at} ${row.group_id}`

export const toOtherGroup = <Group extends Omit<FunnelGroup, 'area'>>(group: Group): Group => ({
  ...group,
  source: group.source && overflowValue,
  campaign: group.campaign && overflowValue,
  affiliate: group.affiliate && overflowValue,
  program: null,
})

export async function deleteOldVisitCounts(db: Kysely<StoreTables>, now: number): Promise<void> {
  await db
    .deleteFrom('funnel_counts')
    .where('scope', 'in', scopes)
    .where('from_at', '<', now - keepCountsMs)
    .execute()
}
