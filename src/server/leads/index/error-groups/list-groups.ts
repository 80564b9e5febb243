import { type Kysely, sql } from 'kysely'
import {
  type CountedLeads,
  type ErrorGroup,
  type FailedStanding,
  failedStandings,
} from '#server/delivery/error-groups.ts'
import type { IndexedStatus, StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { Group } from './group-of.ts'

const statusOf: Readonly<Record<FailedStanding, IndexedStatus>> = {
  waiting: 'owed',
  dead: 'dead',
  rejected: 'rejected',
}

/** Entries of an index that are counted for the whole list, however the leads are spread over its groups. */
const countedInAll = 100_000

/** A line of a group and a status. */
interface Line extends Group {
  readonly status: IndexedStatus
  readonly n: number
  readonly first_at: number
  readonly last_at: number
  readonly example: string
}

/** Each count, time and example is a look into the one index that has them in order. */
export async function listGroups(db: Kysely<StoreTables>): Promise<readonly ErrorGroup[]> {
  const groups = await db.selectFrom('error_groups').select('id').execute()
  if (groups.length === 0) return []
  const countedTo = Math.max(300, Math.floor(countedInAll / groups.length))
  const found = sql`lead_index.error_group = g.id and lead_index.status = s.status`
  const edge = (column: string, order: 'asc' | 'desc') =>
    sql`(select ${sql.ref(column)} from lead_index where ${found}
      order by failed_at ${sql.raw(order)}, lead_id ${sql.raw(order)} limit 1)`
  const statuses = Object.values(statusOf).map((status) => sql`select ${sql.lit(status)} as status`)
  const { rows } = await sql<Line>`
    select * from (
      select g.id, g.error, g.words, s.status,
        (select count(*) from (select 1 as one from lead_index where ${found} limit ${countedTo + 1}) as counted) as n,
        ${edge('failed_at', 'asc')} as first_at,
        ${edge('failed_at', 'desc')} as last_at,
        ${edge('lead_id', 'desc')} as example
      from error_groups as g cross join (${sql.join(statuses, sql` union all `)}) as s
    ) as lines where n > 0`.execute(db)
  return [...Map.groupBy(rows, ({ id }) => id).values()]
    .map((lines) => toGroup(lines, countedTo))
    .toSorted((one, other) => sizeOf(other) - sizeOf(one) || other.lastAt - one.lastAt)
}

export async function wordsOf(
  db: Kysely<StoreTables>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const found = db.selectFrom('error_groups').select(['id', 'words']).where('id', 'in', ids)
  return new Map((await found.execute()).map(({ id, words }) => [id, words]))
}

function toGroup(lines: readonly Line[], countedTo: number): ErrorGroup {
  const last = lines.reduce((latest, line) => (line.last_at > latest.last_at ? line : latest))
  const counted = (standing: FailedStanding): CountedLeads => {
    const n = Number(lines.find(({ status }) => status === statusOf[standing])?.n ?? 0)
    return { count: Math.min(n, countedTo), isAll: n <= countedTo }
  }
  return {
    id: last.id,
    error: last.error,
    words: last.words,
    leads: { waiting: counted('waiting'), dead: counted('dead'), rejected: counted('rejected') },
    firstAt: Math.min(...lines.map(({ first_at }) => first_at)),
    lastAt: last.last_at,
    example: last.example,
  }
}

const sizeOf = ({ leads }: ErrorGroup): number =>
  failedStandings.reduce((sum, standing) => sum + leads[standing].count, 0)
