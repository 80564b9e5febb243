import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  sql,
} from 'kysely'
import { types } from 'pg'
import { queryLimitMs, StoreUnavailableError, systemMessage } from '../../faults/database-errors.ts'
import type { RunningServer } from '../lead-database.ts'
import type { StoreTables } from '../tables/store-tables.ts'
import { rowsAsJson } from './rows-as-json.ts'
import { WatchedPool } from './watched-pool.ts'

const int8 = 20
/** A line without a word is asked for a sign of life after so long, ten times in as many seconds, in milliseconds. */
const keepAliveAfterMs = 5000

/** Several ways to one database, which wait for different lengths: see patience.ts. */
export interface OpenPostgres {
  /** Host, port and database. */
  readonly place: string
  readonly db: Kysely<StoreTables>
  readonly patient: Kysely<StoreTables>
  readonly bounded: Kysely<StoreTables>
  readonly unhurried: Kysely<StoreTables>
  /** The pool of `db`, for statements that Kysely cannot express. */
  readonly pool: WatchedPool
  /** Waits for what is under way. */
  close(): Promise<void>
}

/**
 * Opens pools on a `postgres://` address and asks the server once.
 * @param server the name that PostgreSQL's list of sessions shows for us; none for a verb
 * @throws StoreUnavailableError where it cannot be reached or does not promise durability
 */
export async function openPostgres(databaseUrl: string, server?: string): Promise<OpenPostgres> {
  const place = placeOf(databaseUrl)
  const session = sessionName(server)
  const main = openWay(databaseUrl, quick, session)
  const slow = openWay(databaseUrl, patient, session)
  const ofConsole = openWay(databaseUrl, bounded, session)
  // By one session that stays, others see that a server is here: its next visitor may be a while in coming.
  const slowest = openWay(databaseUrl, unhurried, session, server === undefined ? 0 : 1)
  const close = async () => {
    await Promise.all([main, slow, ofConsole, slowest].map(({ pool }) => pool.end()))
  }
  try {
    await verify(slowest.db, place)
    return { ...main, place, patient: slow.db, bounded: ofConsole.db, unhurried: slowest.db, close }
  } catch (error) {
    await close()
    if (error instanceof StoreUnavailableError) throw error
    throw new StoreUnavailableError(
      `PostgreSQL at ${place} cannot be used (${systemMessage(error)}). Is DATABASE_URL right, and does the server run?`,
      { cause: error },
    )
  }
}

/** Connects when it is used. */
function openWay(connectionString: string, patience: Patience, session: string, staying = 0) {
  const pool = new WatchedPool(
    {
      connectionString,
      application_name: session,
      max: patience.connections,
      min: staying,
      idleTimeoutMillis: patience.unused,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveAfterMs,
      types: {
        // Counts and epoch milliseconds stay below 2^53, so a number holds them.
        getTypeParser: (oid, format) => (oid === int8 ? Number : types.getTypeParser(oid, format)),
      },
    },
    { patience, setUp: settingUp(patience) },
  )
  const dialect = new BoundedPostgresDialect({ pool }, patience)
  return { db: new Kysely<StoreTables>({ dialect, plugins: [rowsAsJson] }), pool }
}

/**
 * Said in SQL, as poolers refuse start-up parameters that they do not know, and left out where the server has no such
 * setting. Without the last ones it keeps the session of an end that fell silent for two hours, and after some silences
 * has no place for new ones.
 */
function settingUp({ lock, statement }: Patience): string {
  const settings = {
    // For statements outside of transactions.
    lock_timeout: lock,
    ...(statement === undefined ? {} : { statement_timeout: statement }),
    tcp_keepalives_idle: 10,
    tcp_keepalives_interval: 5,
    tcp_keepalives_count: 3,
    tcp_user_timeout: 25_000,
  }
  const wanted = Object.entries(settings).map(([name, value]) => `('${name}', '${value}')`)
  return `select set_config(name, value, false) from (values ${wanted.join(', ')}) as wanted (name, value)
    where exists (select from pg_settings where pg_settings.name = wanted.name)`
}

/** Host, port and database: what a log may hold of the address. */
function placeOf(databaseUrl: string): string {
  const url = URL.parse(databaseUrl)
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new StoreUnavailableError('DATABASE_URL is not a postgres:// address.')
  }
  return url.host + url.pathname
}

/** With either off, PostgreSQL acknowledges what a power cut still takes. */
async function verify(db: Kysely<StoreTables>, place: string): Promise<void> {
  const { rows } = await sql<{ commit: string | null; fsync: string | null }>`
    select current_setting('synchronous_commit', true) as commit, current_setting('fsync', true) as fsync`.execute(
    db,
  )
  if (rows[0]?.commit === 'off' || rows[0]?.fsync === 'off') {
    throw new StoreUnavailableError(
      `PostgreSQL at ${place} would lose leads at a power cut: turn on synchronous_commit and fsync.`,
    )
  }
}

type Bounds = Pick<Patience, 'lock' | 'idleInTransaction'>

/**
 * PostgreSQL rolls a transaction back by itself if this process stalls or is cut off: no one else
 * could free its locked rows. Said at the begin, in the same message, it holds behind a pooler,
 * too, which hands each transaction to another session.
 */
export class BoundedPostgresDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig
  readonly #bounds: Bounds

  constructor(config: PostgresDialectConfig, bounds: Bounds) {
    super(config)
    this.#config = config
    this.#bounds = bounds
  }

  override createDriver(): PostgresDriver {
    return new BoundedDriver(this.#config, this.#bounds)
  }
}

class BoundedDriver extends PostgresDriver {
  readonly #begin: CompiledQuery

  constructor(config: PostgresDialectConfig, { lock, idleInTransaction }: Bounds) {
    super(config)
    this.#begin = CompiledQuery.raw(
      `begin; set local lock_timeout = ${lock}; ` +
        `set local idle_in_transaction_session_timeout = ${idleInTransaction}`,
    )
  }

  /** At PostgreSQL's own isolation level, as no transaction of ours asks for another. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(this.#begin)
  }
}

/** Time limits of a connection pool on PostgreSQL, in milliseconds. */
export interface Patience {
  /** To get a connection: a new one with TLS and password, or a free one. */
  readonly connect: number
  /** Without a byte of the answer; the connection then counts as lost. */
  readonly answer: number
  /** For a whole statement, which PostgreSQL then stops; undefined without such a limit. */
  readonly statement?: number
  /** Waiting for locked rows. Shorter than `answer`, so that PostgreSQL reports it before it counts as silent. */
  readonly lock: number
  /** Between two statements of a transaction; PostgreSQL then rolls it back, as its process may be gone. */
  readonly idleInTransaction: number
  /**
   * An unused connection is kept for so long. A query that may be slow must not run on a
   * connection that fell silent.
   */
  readonly unused: number
  /** At once; 13 in all, of which 3 are the console's. */
  readonly connections: number
}

/**
 * The time limit of visitors, deliveries and monitors. A line that fell silent is met after 4 s,
 * and what the other end of it held is free by then: so there is time to meet two faults within
 * the 15 s that a visitor's browser waits.
 */
export const quick: Patience = {
  connect: 5000,
  answer: 4000,
  lock: 3000,
  idleInTransaction: 4000,
  unused: 10_000,
  connections: 6,
}

/** For statements that may read a million rows. */
export const patient: Patience = {
  connect: 5000,
  answer: 60_000,
  lock: 10_000,
  idleInTransaction: 4000,
  unused: 1000,
  connections: 2,
}

/** For the console's queries: PostgreSQL stops a statement at the limit, and no visitor or delivery shares these connections. */
export const bounded: Patience = {
  connect: 10_000,
  answer: queryLimitMs + 3000,
  statement: queryLimitMs,
  lock: 3000,
  idleInTransaction: 4000,
  unused: 1000,
  connections: 3,
}

const quarterOfAnHour = 15 * 60_000
const unlimited = 0
const fiveMinutes = 5 * 60_000

/** For the start, migrations and the move from SQLite, which wait for each other and compute between statements. */
export const unhurried: Patience = {
  connect: 15_000,
  answer: quarterOfAnHour,
  lock: unlimited,
  idleInTransaction: fiveMinutes,
  unused: 1000,
  // A migration asks for what is done already beside its own transaction.
  connections: 2,
}

const product = 'campus-enquiry'
/** Of a verb. A server of a version before has the product's name alone. */
const verb = `${product} leads`
/** PostgreSQL cuts a longer one. */
const longest = 63

/** Our name in PostgreSQL's list of sessions (`application_name`). */
export const sessionName = (server: string | undefined): string =>
  server === undefined ? verb : `${product} ${server}`.slice(0, longest)

/**
 * The servers that are connected to this database. Each keeps one session from its start, even
 * when idle. An idle one whose session the database has ended since is not seen.
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
