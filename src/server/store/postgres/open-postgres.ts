import { CompiledQuery, type DatabaseConnection, Kysely, PostgresDialect, sql } from 'kysely'
import { Pool, types } from 'pg'
import type { StoreTables } from '../store-tables.ts'
import { faultOf, StoreUnavailableError } from '../store-unavailable-error.ts'
import { rowsAsJson } from './rows-as-json.ts'

const int8 = 20
const connectTimeoutMs = 5000
/** A network that swallows packets would otherwise hold an enquiry for the quarter of an hour that TCP tries. */
const queryTimeoutMs = 30_000
/** A process that stands still in a transaction, or is cut off in one, would keep its rows locked for ever. */
const idleInTransactionMs = 10_000

export interface OpenPostgres {
  /** Destroying it ends the pool. */
  readonly db: Kysely<StoreTables>
  /** For what Kysely cannot say. */
  readonly pool: Pool
}

/**
 * Opens a pool on a `postgres://` address and asks the server once.
 * @throws StoreUnavailableError where it cannot be reached or does not promise durability
 */
export async function openPostgres(databaseUrl: string): Promise<OpenPostgres> {
  const place = placeOf(databaseUrl)
  const pool = new Pool({
    connectionString: databaseUrl,
    application_name: 'campus-enquiry',
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    types: {
      // Counts and epoch milliseconds stay below 2^53, so a number holds them.
      getTypeParser: (oid, format) => (oid === int8 ? Number : types.getTypeParser(oid, format)),
    },
  })
  // Without a listener a lost connection ends the process: idle ones tell the pool, busy ones only themselves.
  // The query that meets it rejects, and the pool connects anew.
  pool.on('error', ignore)
  pool.on('connect', (client) => client.on('error', ignore))

  const db = new Kysely<StoreTables>({
    dialect: new PostgresDialect({ pool, onCreateConnection }),
    plugins: [rowsAsJson],
  })
  try {
    await verify(db, place)
    return { db, pool }
  } catch (error) {
    await db.destroy()
    if (error instanceof StoreUnavailableError) throw error
    throw new StoreUnavailableError(
      `PostgreSQL at ${place} cannot be used (${faultOf(error)}). Is DATABASE_URL right, and does the server run?`,
      { cause: error },
    )
  }
}

const ignore = (): void => undefined

/** Said in SQL, as connection poolers refuse start-up parameters that they do not know. */
async function onCreateConnection(connection: DatabaseConnection): Promise<void> {
  const setting = `set idle_in_transaction_session_timeout = ${idleInTransactionMs}`
  await connection.executeQuery(CompiledQuery.raw(setting))
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
