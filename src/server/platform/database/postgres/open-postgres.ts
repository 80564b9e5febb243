import { Kysely, PostgresDialect, type PostgresPool, sql } from 'kysely'
import { types } from 'pg'
import { minute } from '#domain/durations.ts'
import { LoggableError } from '#domain/loggable-error.ts'
import {
  findErrorCode,
  formatSystemError,
  queryLimitMs,
  StoreUnavailableError,
} from '../../faults/database-errors.ts'
import { findDatabaseUrlFault } from '../../url-credentials.ts'
import type { OpenedDatabase, RunningServer } from '../lead-database.ts'
import { migrateStore } from '../migrations/migrate-store.ts'
import { retryConflicts } from '../retry-conflicts.ts'
import type { StoreTables } from '../tables/store-tables.ts'
import { makeTimeoutPool } from './timeout-pool.ts'

const int8 = 20
/** TCP keep-alive: after this many milliseconds of silence, the system probes a connection ten times in ten seconds. */
const keepAliveAfterMs = 5000

/**
 * Opens connection pools for a `postgres://` URL and checks PostgreSQL's settings.
 * @param server the name that PostgreSQL's list of sessions shows for this process; undefined for a command
 * @throws StoreUnavailableError if PostgreSQL cannot be reached or is not set up for durability
 */
export async function openPostgres(databaseUrl: string, server?: string): Promise<OpenedDatabase> {
  const place = formatPlace(databaseUrl)
  const session = server === undefined ? command : `${product} ${server}`.slice(0, maxNameLength)
  const pools: PostgresPool[] = []
  const open = (limits: PoolLimits, minConnections = 0) => {
    const pool = makePool(databaseUrl, limits, session, minConnections)
    pools.push(pool)
    return new Kysely<StoreTables>({ dialect: new PostgresDialect({ pool }) })
  }
  const db = open(visitorLimits)
  const slowDb = open(slowLimits)
  const consoleDb = open(consoleLimits)
  // One session stays open, so that other processes see this server even when no visitor comes for a while.
  const migrationDb = open(migrationLimits, server === undefined ? 0 : 1)
  const close = async () => {
    await Promise.all(pools.map((pool) => pool.end()))
  }
  try {
    await verifyDurability(migrationDb, place)
  } catch (error) {
    await close()
    if (error instanceof StoreUnavailableError) throw error
    throw new StoreUnavailableError(
      `PostgreSQL at ${place} cannot be used (${formatSystemError(error)}). ${findAdvice(error)}`,
      { cause: error },
    )
  }
  // The start opens only the session that stays open. Later, the visitors' pool notices sooner that a session is silent.
  let timeDb = migrationDb
  return {
    place,
    db,
    longQueryDb: slowDb,
    consoleDb,
    migrationDb,
    close,
    // PostgreSQL reports damaged data as an error of the statement: see `isCorrupt`.
    damaged: new Promise(() => undefined),
    replaced: new Promise(() => undefined),
    run: ({ run, isSlow }, argument) => retryConflicts(() => run(isSlow ? slowDb : db, argument)),
    migrate: () => migrateStore(migrationDb),
    hasTable: async (name) => {
      const { rows } = await sql`select 1 where to_regclass(${name}) is not null`.execute(db)
      return rows.length > 0
    },
    readTime: async () => {
      const { rows } = await sql<{ now: number }>`
        select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now`.execute(timeDb)
      timeDb = db
      return Number(rows[0]?.now)
    },
    servers: () => findServers(db),
    // The database may have become a standby, or its owner may have made it read-only because its disk is full.
    assertWritable: async () => {
      const { rows } = await sql<{ setting: string }>`
        select current_setting('transaction_read_only') as setting`.execute(db)
      if (rows[0]?.setting !== 'off')
        throw new LoggableError('PostgreSQL takes no writes: it is read-only.')
    },
    wipe: async () => 'left to the database',
  }
}

function makePool(connectionString: string, limits: PoolLimits, session: string, min: number) {
  return makeTimeoutPool(
    {
      connectionString,
      application_name: session,
      connectionTimeoutMillis: limits.connect,
      max: limits.connections,
      min,
      idleTimeoutMillis: limits.idle,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveAfterMs,
      types: {
        // Counts and epoch milliseconds stay below 2^53, so JavaScript numbers represent them exactly.
        getTypeParser: (oid, format) => (oid === int8 ? Number : types.getTypeParser(oid, format)),
      },
    },
    limits.answer,
    makeSessionSql(limits),
  )
}

/**
 * Returns SQL that sets up a session, because poolers refuse most settings as start-up parameters. Without the
 * keep-alive settings, PostgreSQL keeps the session of a dead client for two hours and can run out of sessions.
 */
const makeSessionSql = ({ lock, statement, idleInTransaction }: PoolLimits): string =>
  Object.entries({
    lock_timeout: lock,
    statement_timeout: statement,
    // If this process stalls, PostgreSQL rolls its transaction back and frees the locked rows.
    idle_in_transaction_session_timeout: idleInTransaction,
    tcp_keepalives_idle: 10,
    tcp_keepalives_interval: 5,
    tcp_keepalives_count: 3,
    tcp_user_timeout: 25_000,
  })
    .map(([name, value]) => `set ${name} = ${value}`)
    .join('; ')

function formatPlace(databaseUrl: string): string {
  const fault = findDatabaseUrlFault(databaseUrl)
  if (fault !== undefined) throw new StoreUnavailableError(`DATABASE_URL ${fault}.`)
  const url = new URL(databaseUrl)
  return url.host + url.pathname
}

const untrustedCertificate = /SELF_SIGNED_CERT|UNABLE_TO_|CERT_UNTRUSTED/

const findAdvice = (error: unknown): string =>
  untrustedCertificate.test(findErrorCode(error))
    ? 'If your own authority signed the server’s certificate, add sslrootcert=<file with the authority’s certificate> to DATABASE_URL.'
    : 'Is DATABASE_URL right, and does the server run?'

/** Throws if `fsync` or `synchronous_commit` is off: a power cut could then lose leads that PostgreSQL acknowledged. */
async function verifyDurability(db: Kysely<StoreTables>, place: string): Promise<void> {
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

/** The limits of a connection pool. Times are milliseconds. */
type PoolLimits = typeof visitorLimits

/**
 * The limits for visitors, deliveries and monitors. The pool closes a connection that has not answered for 4 s; by
 * then, PostgreSQL has freed the connection's locks. Even if two connections in a row are dead, the answer comes within
 * the 15 s that a visitor's browser waits.
 */
const visitorLimits = {
  connect: 5000,
  /** The longest wait for the next byte of an answer; after this time, the connection counts as lost. */
  answer: 4000,
  /** The time after which PostgreSQL stops a statement; 0 means no limit. */
  statement: 0,
  /** The longest wait for a lock: shorter than `answer`, so that the connection does not count as lost. */
  lock: 3000,
  idleInTransaction: 4000,
  /** How long an unused connection stays open. */
  idle: 10_000,
  /** The maximum number of connections. All pools together have 13 connections, of which the console uses 3. */
  connections: 6,
}

/** The limits for statements that may read a million rows. */
const slowLimits = { ...visitorLimits, answer: minute, lock: 10_000, idle: 1000, connections: 2 }

const consoleLimits = {
  ...visitorLimits,
  connect: 10_000,
  answer: queryLimitMs + 3000,
  statement: queryLimitMs,
  idle: 1000,
  connections: 3,
}

/** The limits for migrations and the move from SQLite, which wait for each other and compute between statements. */
const migrationLimits = {
  connect: 15_000,
  answer: 15 * minute,
  statement: 0,
  lock: 0,
  idleInTransaction: 5 * minute,
  idle: 1000,
  // A migration reads the list of migrations on a second connection, beside its own transaction.
  connections: 2,
}

const product = 'campus-enquiry'
const command = `${product} leads`
/** PostgreSQL truncates longer session names. */
const maxNameLength = 63

/**
 * Lists the servers that are connected to this database, because each server keeps one session open. The list lacks a
 * server whose session the database has ended, until the server connects again.
 */
async function findServers(db: Kysely<StoreTables>): Promise<readonly RunningServer[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and application_name like ${`${product} %`}
      and application_name <> ${command}
    order by 1`.execute(db)
  return rows.map(({ name }) => ({ name: name.slice(product.length + 1), since: undefined }))
}
