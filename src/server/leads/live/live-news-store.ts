import { hash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { LeadNews, LiveLook, LiveOrder, LiveStore } from './live-news.ts'

interface Row {
  readonly what: 'newest' | 'news' | 'deliveries' | 'job' | 'session'
  readonly mark: string
  readonly leads: string | null
}

/** More than that, and whoever looks asks for everything anew. */
const mostNews = 100

/** Of those that have not ended the newest: plans are kept for a week. */
const mostJobs = 50

/** What open pages are told of, for all of a process at once. */
export const makeLiveStore = (db: Kysely<StoreTables>): LiveStore => ({
  look: (order) => retryConflicts(async () => toLook(await readRows(db, order), order)),
})

async function readRows(
  db: Kysely<StoreTables>,
  { after, sessions, age }: LiveOrder,
): Promise<readonly Row[]> {
  const openOnes = sql`
    union all select 'session', operator_sessions.id, null from operator_sessions
      inner join operators on operators.id = operator_sessions.operator_id
      where operator_sessions.id in (${sql.join(sessions)}) and disabled_at is null
      and began_at > ${age.beganSince} and seen_at > ${age.seenSince}`
  const { rows } = await sql<Row>`
    select 'newest' as what, cast(coalesce(max(seq), 0) as text) as mark, null as leads from lead_news
    union all select 'news', cast(seq as text), leads from (
      select seq, leads from lead_news where seq > ${after} order by seq limit ${mostNews + 1}) as news
    union all select 'deliveries', ${allOf(gate)}, null from delivery_gate where id = 1
    union all select 'job', ${allOf(job)}, null from (
      select * from jobs where ended_at is null order by id desc limit ${mostJobs}) as jobs
    ${sessions.length === 0 ? sql`` : openOnes}`.execute(db)
  return rows
}

/** All that pages say of it. */
const gate = ['paused_by', 'pause_reason', 'paused_at', 'outage_since', 'refused_probes']
const job = ['id', 'phase', 'plan', 'members', 'done', 'started_at', 'paused_at', 'cancelled_at']

/** In one text. */
const allOf = (columns: readonly string[]) =>
  sql.join(
    columns.map((column) => sql`coalesce(cast(${sql.ref(column)} as text), '')`),
    sql` || ' ' || `,
  )

/** What is said of somebody's words, which go into no address. */
const markOf = (marks: readonly string[]): string =>
  hash('sha256', marks.toSorted().join('\n'), 'base64url').slice(0, 8)

function toLook(rows: readonly Row[], { after }: LiveOrder): LiveLook {
  const of = (what: Row['what']) => rows.filter((row) => row.what === what)
  const seq = Number(of('newest')[0]?.mark ?? 0)
  const news = of('news')
    .map(({ mark, leads }): LeadNews => ({ seq: Number(mark), leads: JSON.parse(leads ?? '[]') }))
    .sort((one, other) => one.seq - other.seq)
  const isWhole = news.length <= mostNews && (seq === after || news[0]?.seq === after + 1)
  return {
    seq,
    news: isWhole ? news : undefined,
    deliveries: markOf(of('deliveries').map(({ mark }) => mark)),
    jobs: markOf(of('job').map(({ mark }) => mark)),
    openSessions: of('session').map(({ mark }) => mark),
  }
}
