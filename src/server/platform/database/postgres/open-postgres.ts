import { Kysely, sql } from 'kysely'
import { types } from 'pg'
import { StoreUnavailableError, systemMessage } from '../faults/store-unavailable-error.ts'
import type { StoreTables } from '../tables/store-tables.ts'
import { BoundedPostgresDialect } from './connections/bounded-transactions.ts'
import { bounded, type Patience, patient, quick, unhurried } from './connections/patience.ts'
import { WatchedPool } from './connections/watched-pool.ts'
import { sessionName } from './find-sessions.ts'
import { rowsAsJson } from './rows-as-json.ts'

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
  /** That of `db`, for what Kysely cannot say. */
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
