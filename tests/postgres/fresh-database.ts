import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { runStatements } from './run-statements.ts'

export interface FreshDatabase {
  readonly url: string
  /** Ends all connections, and empties the database for reuse. */
  drop(): Promise<void>
}

/** The addresses that tests got. A test may reach the same database by other addresses, such as through a proxy. */
const known = new Set<string>()

/** Emptied databases by server: creating one takes several times as long as emptying one. */
const emptied = new Map<string, string[]>()

/**
 * An empty database for one test file.
 * @param serverUrl any database on the server, with a user who may create others
 */
export async function freshDatabase(serverUrl: string): Promise<FreshDatabase> {
  const free = emptied.get(serverUrl) ?? []
  emptied.set(serverUrl, free)
  const url = free.pop() ?? (await createDatabase(serverUrl))
  known.add(url)
  return {
    url,
    drop: async () => {
      await emptyDatabase(url)
      free.push(url)
    },
  }
}

async function createDatabase(serverUrl: string): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await runStatements(serverUrl, `create database ${name}`)
  return Object.assign(new URL(serverUrl), { pathname: name }).href
}

/** A migrated database and the empty one beside it: one of them has the name that the test knows. */
interface Pair {
  /** The name of the one that is set aside. */
  readonly aside: string
  /** What a test must not have changed, if the database is to be used again. */
  readonly schema: string
  /** The rows that migrations add, by table, as JSON. */
  readonly seeds: readonly { readonly table: string; readonly rows: string }[]
}

/** By the address of the test's database. */
const pairs = new Map<string, Pair>()
/** The databases whose migrated half is in use. */
const inUse = new Set<string>()

/**
 * Makes an empty database a migrated one, and leaves others as they are. Migrating takes ten times as long as
 * exchanging two databases' names, and tests open some seven hundred stores on PostgreSQL.
 * @param migrate migrates the database; called once for each
 * @returns whether the database is migrated now; false for databases that are not empty or not from {@link freshDatabase}
 */
export function fillWithMigrated(url: string, migrate: () => Promise<void>): Promise<boolean> {
  // Several roles of one product may start at once: the later ones find the database filled.
  const filled = (filling.get(url) ?? Promise.resolve()).then(() => fillOne(url, migrate))
  filling.set(
    url,
    filled.catch(() => undefined),
  )
  return filled
}

/** The last start of each database, by its address. */
const filling = new Map<string, Promise<unknown>>()

async function fillOne(url: string, migrate: () => Promise<void>): Promise<boolean> {
  if (!known.has(url) || inUse.has(url) || !(await isEmpty(url))) return false
  if (pairs.has(url)) {
    await exchange(url)
  } else {
    const aside = `${nameOf(url)}_aside`
    // An earlier migration of this database may have failed.
    await runStatements(adminUrl(url), `drop database if exists ${aside}`)
    await runStatements(adminUrl(url), `create database ${aside}`)
    await migrate()
    pairs.set(url, { aside, ...(await withClient(url, readMigrated)) })
  }
  inUse.add(url)
  return true
}

/** Removes everything from the database, including its settings. */
export async function emptyDatabase(url: string): Promise<void> {
  const pair = pairs.get(url)
  const wasInUse = inUse.delete(url)
  const isClean = await withClient(url, async (client) => {
    await client.query(`alter database ${nameOf(url)} reset all`)
    await client.query(
      `select pg_terminate_backend(pid, 10000) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
    )
    if (pair && wasInUse && (await readSchema(client)) === pair.schema) {
      await removeRows(client, pair)
      return true
    }
    await client.query('drop schema public cascade; create schema public')
    return false
  })
  if (isClean) await exchange(url)
  else if (pair && wasInUse) {
    // A test has changed the schema, so the migrated half is lost.
    pairs.delete(url)
    await runStatements(adminUrl(url), `drop database ${pair.aside}`)
  }
}

const nameOf = (url: string): string => new URL(url).pathname.slice(1)
const adminUrl = (url: string): string => Object.assign(new URL(url), { pathname: 'postgres' }).href

const isEmpty = (url: string): Promise<boolean> =>
  withClient(url, async (client) => {
    const { rows } = await client.query(
      `select 1 from pg_class where relnamespace = 'public'::regnamespace limit 1`,
    )
    return rows.length === 0
  })

/** Exchanges the names of a pair's databases. */
async function exchange(url: string): Promise<void> {
  const name = nameOf(url)
  const aside = pairs.get(url)?.aside
  await (await admin(url)).query(
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname in ('${name}', '${aside}');
     alter database ${name} rename to ${name}_moving;
     alter database ${aside} rename to ${name};
     alter database ${name}_moving rename to ${aside}`,
  )
}

/** One connection for each server to a database that no test empties, because connecting costs most of an exchange. */
const admins = new Map<string, Promise<Client>>()

function admin(url: string): Promise<Client> {
  const server = adminUrl(url)
  const known = admins.get(server)
  if (known) return known
  const client = new Client({ connectionString: server })
  // The server ends it at the end of the run.
  client.on('error', () => admins.delete(server))
  const connected = client.connect().then(() => {
    // It must not keep this process alive.
    ;(client as Client & { unref(): void }).unref()
    return client
  })
  admins.set(server, connected)
  return connected
}

async function readMigrated(client: Client): Promise<Pick<Pair, 'schema' | 'seeds'>> {
  const seeds: { table: string; rows: string }[] = []
  const { rows: tables } = await client.query(
    `select oid::regclass as table from pg_class
       where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  for (const { table } of tables) {
    const { rows } = await client.query(`select json_agg(t)::text as rows from ${table} t`)
    if (rows[0].rows !== null) seeds.push({ table, rows: rows[0].rows })
  }
  return { schema: await readSchema(client), seeds }
}

/** A hash of all tables, columns, indexes, constraints, triggers, functions and rights. */
async function readSchema(client: Client): Promise<string> {
  const inPublic = (catalog: string, of: string, namespace = 'relnamespace') =>
    `select md5(string_agg(concat_ws(' ', ${of}), ',' order by ${of.split(', ')[0]})) as part
       from ${catalog} where ${namespace} = 'public'::regnamespace`
  const tables = 'pg_class c join'
  const { rows } = await client.query(
    [
      inPublic('pg_class', 'oid, relname, relkind, relacl, reloptions'),
      inPublic(
        `${tables} pg_attribute a on attrelid = c.oid`,
        'a.tableoid, attrelid, attname, atttypid, attnotnull, atthasdef, attisdropped',
      ).replace('order by a.tableoid', 'order by attrelid, attnum'),
      inPublic(`${tables} pg_trigger t on tgrelid = c.oid`, 't.oid, tgenabled'),
      inPublic(`${tables} pg_index i on indexrelid = c.oid`, 'c.oid, indisvalid'),
      inPublic('pg_constraint', 'oid, conname, convalidated', 'connamespace'),
      inPublic('pg_proc', 'oid, proname, prosrc, proconfig', 'pronamespace'),
      inPublic('pg_namespace', 'oid, nspacl', 'oid'),
    ].join(' union all '),
  )
  return rows.map(({ part }) => part).join()
}

/**
 * Removes a test's rows, and starts sequences anew. Triggers are off, because the audit log's refuse it. Deleting few
 * rows takes a tenth of the time of truncating; many deleted rows would slow the next test's queries.
 */
async function removeRows(client: Client, { seeds }: Pair): Promise<void> {
  await client.query('set session_replication_role = replica')
  const { rows: removals } = await client.query(
    `select case when pg_relation_size(oid) <= 65536 then 'delete from ' || oid::regclass
                 else 'truncate ' || oid::regclass || ' cascade' end as statement
       from pg_class
       where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
     union all
     select format('select setval(%L, %s, false)', sequencename, start_value) from pg_sequences
       where schemaname = 'public' and last_value is not null`,
  )
  await client.query(removals.map(({ statement }) => statement).join(';'))
  for (const { table, rows } of seeds) {
    await client.query(
      `insert into ${table} select * from json_populate_recordset(null::${table}, $1)`,
      [rows],
    )
  }
}

async function withClient<Result>(
  url: string,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
