import { type Kysely, sql } from 'kysely'
import type { RunningServer } from '../running-server.ts'
import type { StoreTables } from '../tables/store-tables.ts'

const product = 'campus-enquiry'
/** Of a verb. A server of a version before has the product's name alone. */
const verb = `${product} leads`
/** PostgreSQL cuts a longer one. */
const longest = 63

/** What PostgreSQL's list of sessions shows for us (`application_name`). */
export const sessionName = (server: string | undefined): string =>
  server === undefined ? verb : `${product} ${server}`.slice(0, longest)

/**
 * The servers that are connected to this database. Each keeps one session from its start on, also where nobody asks anything
 * of it. One whose session the database has ended since, and that nobody has asked for much, is not seen.
 */
export async function findSessions(db: Kysely<StoreTables>): Promise<readonly RunningServer[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and application_name like ${`${product}%`}
      and application_name <> ${verb}
    order by 1`.execute(db)
  return rows.map(({ name }) => ({
    name: name === product ? undefined : name.slice(product.length + 1),
    since: undefined,
  }))
}
