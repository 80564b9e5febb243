import {
  CompiledQuery,
  Kysely,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  sql,
} from 'kysely'
import { types } from 'pg'
import { LoggableError } from '#domain/loggable-error.ts'
import { queryLimitMs, StoreUnavailableError, systemMessage } from '../../faults/database-errors.ts'
import type { LeadDatabase, RunningServer } from '../lead-database.ts'
import { migrateStore } from '../migrations/migrate-store.ts'
import type { StoreTables } from '../tables/store-tables.ts'
import { rowsAsJson } from './rows-as-json.ts'
import { WatchedPool } from './watched-pool.ts'

const int8 = 20
/** A line without a word is asked for a sign of life after so long, ten times in as many seconds, in milliseconds. */
const keepAliveAfterMs = 5000

export interface PostgresDatabase extends LeadDatabase {
  /** For statements that may take minutes. */
  readonly migrationDb: Kysely<StoreTables>
}

/**
 * Opens pools on a `postgres://` address and asks the server once.
 * @param server the name that PostgreSQL's list of sessions shows for us; none for a command
 * @throws StoreUnavailableError where it cannot be reached or does not promise durability
 */
export async function openPostgres(
  databaseUrl: string,
  server?: string,
): Promise<PostgresDatabase> {
  const place = placeOf(databaseUrl)
  const session = server === undefined ? command : `${product} ${server}`.slice(0, longestName)
  const pools: WatchedPool[] = []
  const open = (limits: Limits, staying = 0) => {
    const pool = makePool(databaseUrl, limits, session, staying)
    pools.push(pool)
    const dialect = new LimitedPostgresDialect({ pool }, limits)
    return new Kysely<StoreTables>({ dialect, plugins: [rowsAsJson] })
  }
  const db = open(quick)
  const patientTimeouts = open(slow)
  const bounded = open(limited)
  // By one session that stays, others see that a server is here, even if no visitor comes for a while.
  const migrationDb = open(unlimited, server === undefined ? 0 : 1)
  const close = async () => {
    await Promise.all(pools.map((pool) => pool.end()))
  }
  try {
    await verify(migrationDb, place)
  } catch (error) {
    await close()
    if (error instanceof StoreUnavailableError) throw error
    throw new StoreUnavailableError(
      `PostgreSQL at ${place} cannot be used (${systemMessage(error)}). Is DATABASE_URL right, and does the server run?`,
      { cause: error },
    )
  }
  return {
    place,
    db,
    patient: patientTimeouts,
    bounded,
    migrationDb,
    close,
    // PostgreSQL's server finds damage itself: see isCorrupt.
    damaged: new Promise(() => undefined),
    run: ({ run, isSlow }, argument) => run(isSlow ? patientTimeouts : db, argument, 'rows'),
    locking: 'rows',
    migrate: () => migrateStore(migrationDb),
    hasTable: async (name) => {
      const { rows } = await sql`select 1 where to_regclass(${name}) is not null`.execute(db)
      return rows.length > 0
    },
    servers: () => findServers(db),
    // A server that has become a standby, or was set read-only because its disk is full.
    assertWritable: async () => {
      const { rows } = await sql<{ setting: string }>`
        select current_setting('transaction_read_only') as setting`.execute(db)
      if (rows[0]?.setting !== 'off')
        throw new LoggableError('PostgreSQL takes no writes: it is read-only.')
    },
    wipe: async () => 'left to the database',
  }
}

/** Connects when it is used. */
function makePool(connectionString: string, limits: Limits, session: string, staying: number) {
  return new WatchedPool(
    {
      connectionString,
      application_name: session,
      connectionTimeoutMillis: limits.connect,
      max: limits.connections,
      min: staying,
      idleTimeoutMillis: limits.unused,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveAfterMs,
      types: {
        // Counts and epoch milliseconds stay below 2^53, so a number holds them.
        getTypeParser: (oid, format) => (oid === int8 ? Number : types.getTypeParser(oid, format)),
      },
    },
    limits.answer,
    sessionSettings(limits),
  )
}

/**
 * The settings of a session, in SQL, as poolers refuse start-up parameters that they do not know, and left out where the server has no such
 * setting. Without the last ones it keeps the session of an end that fell silent for two hours, and after some silences
 * has no place for new ones.
 */
function sessionSettings({ lock, statement }: Limits): string {
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

/**
 * PostgreSQL rolls a transaction back by itself if this process stalls or is cut off: no one else could free its locked rows.
 * Sent with the `begin`, the limits also hold behind a pooler, which gives each transaction to another session.
 */
class LimitedPostgresDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig
  readonly #limits: Limits

  constructor(config: PostgresDialectConfig, limits: Limits) {
    super(config)
    this.#config = config
    this.#limits = limits
  }

  override createDriver(): PostgresDriver {
    const { lock, idleInTransaction } = this.#limits
    const driver = new PostgresDriver(this.#config)
    const begin = CompiledQuery.raw(
      `begin; set local lock_timeout = ${lock}; ` +
        `set local idle_in_transaction_session_timeout = ${idleInTransaction}`,
    )
    // At PostgreSQL's own isolation level, as no transaction of ours asks for another.
    driver.beginTransaction = async (connection) => {
      await connection.executeQuery(begin)
    }
    return driver
  }
}

/** The limits of a connection pool, in milliseconds. */
interface Limits {
  /** To get a connection: a new one with TLS and password, or a free one. */
  readonly connect: number
  /** Without a byte of the answer; the connection then counts as lost. */
  readonly answer: number
  /** For a whole statement, which PostgreSQL then stops. */
  readonly statement?: number
  /** Waiting for locked rows. Shorter than `answer`, so that PostgreSQL reports it before it counts as silent. */
  readonly lock: number
  /** Between two statements of a transaction. */
  readonly idleInTransaction: number
  /** An unused connection is closed after this, as it may have fallen silent. */
  readonly unused: number
  /** At most; 13 in all, of which 3 are the console's. */
  readonly connections: number
}

/**
 * For visitors, deliveries and monitors. A connection that fell silent is given up after 4 s, and PostgreSQL has freed its
 * locks by then: two such faults fit in the 15 s that a visitor's browser waits.
 */
const quick: Limits = {
  connect: 5000,
  answer: 4000,
  lock: 3000,
  idleInTransaction: 4000,
  unused: 10_000,
  connections: 6,
}

/** For statements that may read a million rows. */
const slow: Limits = { ...quick, answer: 60_000, lock: 10_000, unused: 1000, connections: 2 }

/** For the console's queries: PostgreSQL stops a statement at the limit, and no visitor or delivery shares these connections. */
const limited: Limits = {
  ...quick,
  connect: 10_000,
  answer: queryLimitMs + 3000,
  statement: queryLimitMs,
  unused: 1000,
  connections: 3,
}

const minute = 60_000

/** For the start, migrations and the move from SQLite, which wait for each other and compute between statements. */
const unlimited: Limits = {
  connect: 15_000,
  answer: 15 * minute,
  lock: 0,
  idleInTransaction: 5 * minute,
  unused: 1000,
  // A migration asks for what is done already beside its own transaction.
  connections: 2,
}

/** Our names in PostgreSQL's list of sessions (`application_name`): this and the server's, or that of a command. */
const product = 'campus-enquiry'
const command = `${product} leads`
/** PostgreSQL cuts a longer one. */
const longestName = 63

/**
 * The servers that are connected to this database. Each keeps one session from its start, even
 * when idle. An idle one whose session the database has ended since is not seen.
 */
async function findServers(db: Kysely<StoreTables>): Promise<readonly RunningServer[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and application_name like ${`${product} %`}
      and application_name <> ${command}
    order by 1`.execute(db)
  return rows.map(({ name }) => ({ name: name.slice(product.length + 1), since: undefined }))
}
