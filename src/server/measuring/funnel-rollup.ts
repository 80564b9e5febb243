import { hash } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import {
  type FunnelDimension,
  type FunnelFilter,
  type FunnelGroup,
  type FunnelGroupKind,
  type FunnelRange,
  type FunnelSplit,
  funnelDimensions,
  otherValue,
  type VisitEvent,
  visitEvents,
} from '#domain/measuring/funnel.ts'
import { inTransaction } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

const hourMs = 3_600_000
export const dayMs = 24 * hourMs
export const weekMs = 7 * dayMs

const toHour = (at: number): number => at - (at % hourMs)
export const toDay = (at: number): number => at - (at % dayMs)

/** The first Monday after the epoch. */
const firstMonday = 4 * dayMs

/** @returns midnight of the week's Monday, in UTC */
export const toWeek = (at: number): number => at - ((at - firstMonday) % weekMs)

/** The value that counts are split by: a column of `table`, or the week of the time in the column `at`. */
export function splitValue(by: FunnelSplit | undefined, table: string, at: string) {
  if (by === undefined) return sql`null`
  const time = sql.ref(at)
  // A literal, because PostgreSQL must recognize the same expression in `group by`.
  const [monday, week] = [sql.lit(firstMonday), sql.lit(weekMs)]
  return by === 'week' ? sql`${time} - (${time} - ${monday}) % ${week}` : sql.ref(`${table}.${by}`)
}

/** Hours are kept for this long, days for 13 weeks, and weeks for two years and a month. */
const keepHoursMs = 8 * dayMs
export const keepDaysMs = 13 * weekMs
const keepMs = 2 * 365 * dayMs + 31 * dayMs

/** How many new groups a day may bring. The sources, campaigns and affiliates of further groups count as {@link otherValue}. */
export const maxNewGroupsPerDay = 1000

export interface CountedEvent {
  /** Epoch milliseconds. */
  readonly at: number
  readonly group: FunnelGroup
  readonly event: VisitEvent
  readonly detail: string
}

/**
 * Counts events in the hours they belong to. A transaction should call this last: PostgreSQL locks the rows until the
 * commit.
 * @param now epoch milliseconds
 */
export async function countEvents(
  store: Transaction<StoreTables>,
  events: readonly CountedEvent[],
  now: number,
): Promise<void> {
  if (events.length === 0) return
  const groups = await findOrInsertGroups(
    store,
    events.map(({ group }) => group),
    now,
  )
  await addCounts(
    store,
    events.flatMap(({ at, group, event, detail }) =>
      (groups.get(makeGroupId('each', group)) ?? []).map((group_id) => ({
        ...{ from_at: toHour(at), group_id, event, detail, n: 1 },
      })),
    ),
  )
}

/** The values of a group; a group of one dimension has only that value. */
type GroupValues = { readonly [Dimension in FunnelDimension]: FunnelGroup[Dimension] | null }

/** A hash instead of a sequence: the same group has the same id in every process. */
function makeGroupId(scope: FunnelGroupKind, group: GroupValues): number {
  const values = funnelDimensions.map((dimension) => group[dimension])
  // 52 bits, which a JavaScript number holds exactly.
  return Number.parseInt(hash('sha256', JSON.stringify([scope, ...values])).slice(0, 13), 16)
}

const noValues: GroupValues = {
  area: null,
  source: null,
  campaign: null,
  affiliate: null,
  device: null,
  program: null,
}

/** The groups that a visit counts in. */
function listCountedGroups(group: FunnelGroup) {
  const scopes: readonly (readonly [FunnelGroupKind, GroupValues])[] = [
    ['each', group],
    ['all', noValues],
    ...funnelDimensions.map(
      (dimension) => [dimension, { ...noValues, [dimension]: group[dimension] }] as const,
    ),
  ]
  return scopes.map(([scope, values]) => ({ id: makeGroupId(scope, values), scope, ...values }))
}

interface CountRow {
  readonly from_at: number
  readonly group_id: number
  readonly event: VisitEvent
  readonly detail: string
  readonly n: number
}

const makeKey = ({ from_at, group_id, event, detail }: CountRow): string =>
  `${group_id} ${from_at} ${event} ${detail}`

/** PostgreSQL allows 65,535 parameters in a statement. */
const rowsPerStatement = 1000

async function addCounts(store: Transaction<StoreTables>, counts: readonly CountRow[]) {
  // A fixed order prevents a deadlock between two processes.
  const rows = [...Map.groupBy(counts, makeKey)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, [first, ...others]]) =>
      first
        ? [{ ...first, n: others.reduce((sum, { n }) => sum + Number(n), Number(first.n)) }]
        : [],
    )
  for (let begin = 0; begin < rows.length; begin += rowsPerStatement) {
    await store
      .insertInto('funnel_counts')
      .values(rows.slice(begin, begin + rowsPerStatement))
      .onConflict((conflict) =>
        conflict
          .columns(['group_id', 'from_at', 'event', 'detail'])
          .doUpdateSet({ n: sql`funnel_counts.n + excluded.n` }),
      )
      .execute()
  }
}

/**
 * Makes the groups of visits. Anybody can make up sources, campaigns and affiliates in a link, so groups beyond a day's
 * limit are counted together. Groups of earlier days keep their names. Two processes at once may exceed the limit by
 * the groups of one call.
 * @returns by the id of each wanted group, the ids of the groups to count in
 */
async function findOrInsertGroups(
  store: Transaction<StoreTables>,
  wanted: readonly FunnelGroup[],
  now: number,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const groups = new Map(wanted.map((group) => [makeGroupId('each', group), group]))
  const known = await store
    .selectFrom('funnel_groups')
    .select('id')
    .where('id', 'in', [...groups.keys()])
    .execute()
  const { today } = await store
    .selectFrom('funnel_groups')
    .select(({ fn }) => fn.countAll<number>().as('today'))
    .where('scope', '=', 'each')
    .where('first_at', '>=', toDay(now))
    .executeTakeFirstOrThrow()
  const isKnown = new Set(known.map(({ id }) => id))
  let room = maxNewGroupsPerDay - Number(today)
  const counted = [...groups].map(([id, group]) => {
    const isOpen = isKnown.has(id) || room-- > 0
    return [id, listCountedGroups(isOpen ? group : mergeIntoOther(group))] as const
  })
  const rows = new Map(
    counted.flatMap(([, scopes]) => scopes.map((group) => [group.id, group] as const)),
  )
  await store
    .insertInto('funnel_groups')
    .values(
      [...rows.values()]
        .toSorted((one, other) => one.id - other.id)
        .map((group) => ({ ...group, first_at: now, seen_at: now })),
    )
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ seen_at: now })
        .where('funnel_groups.seen_at', '<', toDay(now)),
    )
    .execute()
  return new Map(counted.map(([id, scopes]) => [id, scopes.map((group) => group.id)]))
}

export const mergeIntoOther = <Group extends FunnelGroup>(group: Group): Group => ({
  ...group,
  source: group.source && otherValue,
  campaign: group.campaign && otherValue,
  affiliate: group.affiliate && otherValue,
  program: null,
})

/** Adds up old hours to days and old days to weeks, so that a year stays small. Several processes may do so at once. */
export async function foldCounts(db: Kysely<StoreTables>, now: number): Promise<void> {
  for await (const from of periodsBefore(db, now - keepHoursMs)) {
    const to = from < now - keepDaysMs ? toWeek(from) : toDay(from)
    const isExpired = from < now - keepMs
    if (isExpired || from !== to) await moveCounts(db, from, isExpired ? undefined : to)
  }
  await db
    .deleteFrom('funnel_groups')
    .where('seen_at', '<', now - keepMs - weekMs)
    .execute()
}

/** Each step reads the index once, however many rows a period has. */
async function* periodsBefore(db: Kysely<StoreTables>, end: number): AsyncGenerator<number> {
  for (let last = -1; ; ) {
    const { from } = await db
      .selectFrom('funnel_counts')
      .select(({ fn }) => fn.min('from_at').as('from'))
      .where('from_at', '>', last)
      .executeTakeFirstOrThrow()
    if (from === null || from >= end) return
    yield from
    last = from
  }
}

/** @param to undefined deletes the counts */
const moveCounts = (db: Kysely<StoreTables>, from: number, to: number | undefined): Promise<void> =>
  inTransaction(db, async (store) => {
    // Only the process that deletes a row adds it to the longer period.
    const rows = await store
      .deleteFrom('funnel_counts')
      .where('from_at', '=', from)
      .returningAll()
      .execute()
    if (to !== undefined)
      await addCounts(
        store,
        rows.map((row) => ({ ...row, from_at: to })),
      )
  })

export interface FunnelCount {
  /** The value or week that the counts are split by; null if it is unknown, or without a split. */
  readonly value: string | number | null
  readonly event: VisitEvent
  readonly detail: string
  readonly n: number
}

export interface FunnelQuery extends FunnelRange {
  readonly filter: FunnelFilter
  readonly by?: FunnelSplit | undefined
  /** Reads these events only. */
  readonly events?: readonly VisitEvent[] | undefined
}

/**
 * Counts visits by event and detail, and by the values of one dimension or the weeks if `by` names them. A visit counts
 * in the hour when it began; days are exact for 13 weeks, and weeks (from Monday on) before that. A query by at most
 * one dimension reads few rows, however many visits there were.
 */
export async function readVisitCounts(
  db: Kysely<StoreTables>,
  { since, until, filter, by, events = visitEvents }: FunnelQuery,
): Promise<readonly FunnelCount[]> {
  const asked = funnelDimensions.filter((dimension) => dimension in filter || dimension === by)
  const [only = 'all'] = asked
  const scope: FunnelGroupKind = asked.length > 1 ? 'each' : only
  const value = splitValue(by, 'g', 'c.from_at')
  const { rows } = await sql<FunnelCount>`
    select ${value} as value, c.event, c.detail, sum(c.n) as n
    from funnel_groups as g inner join funnel_counts as c on c.group_id = g.id
    where g.scope = ${scope} and ${matches('g', filter)}
      and c.from_at >= ${since} and c.from_at < ${until} and c.event in (${sql.join([...events])})
    group by ${by === undefined ? sql`` : sql`${value},`} c.event, c.detail`.execute(db)
  return rows.map((row) => ({ ...row, n: Number(row.n) }))
}

/** The condition that a row's columns have the values of a filter. */
export const matches = (table: string, filter: FunnelFilter) =>
  sql.join(
    [
      sql`1 = 1`,
      ...funnelDimensions
        .filter((dimension) => dimension in filter)
        .map((dimension) => {
          const wanted = filter[dimension] ?? null
          const column = sql.ref(`${table}.${dimension}`)
          if (Array.isArray(wanted)) {
            return wanted.length === 0 ? sql`1 = 0` : sql`${column} in (${sql.join(wanted)})`
          }
          return wanted === null ? sql`${column} is null` : sql`${column} = ${wanted}`
        }),
    ],
    sql` and `,
  )
