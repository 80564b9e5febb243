import { DatabaseSync } from 'node:sqlite'
import type { Kysely } from 'kysely'
import { openPostgres } from '#server/platform/database/postgres/open-postgres.ts'
import {
  assertStoreUndamaged,
  markStoreDamaged,
} from '#server/platform/database/sqlite/data-folder.ts'
import { openSqlite } from '#server/platform/database/sqlite/open-sqlite.ts'
import { lockStoreForServer } from '#server/platform/database/sqlite/server-lock.ts'
import { StoreUnavailableError } from '../faults/database-errors.ts'
import type { LeadDatabase, OpenedDatabase, RunningServer } from './lead-database.ts'
import { findSchemaState } from './migrations/migrate-store.ts'
import { closeOnFailure } from './run-and-close.ts'
import type { StoreTables } from './tables/store-tables.ts'

export interface StoreState {
  readonly place: string
  readonly leads: number
  /** The place that the leads were moved to; undefined if they are still in this store. */
  readonly movedTo: StoreMove | undefined
  readonly servers: readonly RunningServer[]
}

export async function readStoreState(database: LeadDatabase): Promise<StoreState> {
  const { place, db, longQueryDb } = database
  const { leads } = await longQueryDb
    .selectFrom('leads')
    .select((eb) => eb.fn.countAll<number>().as('leads'))
    .executeTakeFirstOrThrow()
  const movedTo = (await database.hasTable('moves')) ? await findStoreMove(db) : undefined
  return { place, leads, servers: await database.servers(), movedTo }
}

export type StoreMode = 'demo' | 'production'

/** Remembers that a server of this mode has used the store. A store that production has used stays a production store. */
export async function rememberStoreMode(db: Kysely<StoreTables>, mode: StoreMode): Promise<void> {
  if ((await readStoreMode(db)) === undefined) {
    await db.insertInto('store_mode').values({ mode }).execute()
  } else if (mode === 'production') {
    await db.updateTable('store_mode').set({ mode }).execute()
  }
}

/** Returns undefined if no server of this release or a later one has used the store. */
export async function readStoreMode(db: Kysely<StoreTables>): Promise<StoreMode | undefined> {
  const rows = await db.selectFrom('store_mode').select('mode').execute()
  // Servers that start at the same time may each have stored a row.
  return rows.find(({ mode }) => mode === 'production')?.mode ?? rows[0]?.mode
}

export interface StoreMove {
  /** The file's path, or PostgreSQL's host, port and database. */
  readonly place: string
  readonly at: number
}

/**
 * A server on a store whose leads were moved elsewhere would accept enquiries that nobody delivers, and would deliver
 * leads a second time.
 */
export class StoreMovedError extends StoreUnavailableError {
  constructor(from: string, move: StoreMove) {
    super(
      `${describeStoreMove(from, move)} No process delivers enquiries from this store. Set DATABASE_URL or DATA_DIR to ` +
        'the store that has the leads. To use this store again, see docs/storage.md, “Return to SQLite”.',
    )
  }
}

export const describeStoreMove = (from: string, { place, at }: StoreMove): string =>
  `The leads of ${from} were moved to ${place} at ${new Date(at).toISOString()}.`

const findStoreMove = (db: Kysely<StoreTables>): Promise<StoreMove | undefined> =>
  db.selectFrom('moves').select(['place', 'moved_at as at']).executeTakeFirst()

/** @throws StoreMovedError if the leads were moved elsewhere */
export async function assertNotMoved({
  migrationDb,
  place,
}: Pick<LeadDatabase, 'migrationDb' | 'place'>): Promise<void> {
  const move = await findStoreMove(migrationDb)
  if (move !== undefined) throw new StoreMovedError(place, move)
}

/** Reads the mark of a move from a SQLite file of any version; undefined without a mark or a readable file. */
export function readStoreMoveFromFile(file: string): StoreMove | undefined {
  try {
    using database = new DatabaseSync(file, { readOnly: true })
    return readStoreMove(database)
  } catch {
    return undefined
  }
}

export function readStoreMove(database: DatabaseSync): StoreMove | undefined {
  const isKept = "select 1 from sqlite_master where name = 'moves'"
  if (database.prepare(isKept).get() === undefined) return undefined
  const row = database.prepare('select place, moved_at as at from moves').get()
  return row === undefined ? undefined : { place: String(row.place), at: Number(row.at) }
}

export function markStoreMoved(database: DatabaseSync, { place, at }: StoreMove): void {
  database.exec('delete from moves')
  database.prepare('insert into moves (place, moved_at) values (?, ?)').run(place, at)
}

/** `empty` means that no server has used the database; the first start creates the schema. */
export type SchemaState = 'empty' | 'older' | 'current' | 'newer'

/**
 * Signs in to PostgreSQL and checks whether this version can use the database, without changing anything.
 * @throws an error with a message for the operator, which contains no password
 */
export async function inspectPostgres(databaseUrl: string) {
  const database = await openLeadDatabase('', databaseUrl)
  try {
    await database.assertWritable()
    const schema: SchemaState = (await database.hasTable('kysely_migration'))
      ? await findSchemaState(database.db)
      : 'empty'
    if (schema !== 'empty' && (await database.hasTable('moves'))) await assertNotMoved(database)
    return { place: database.place, schema }
  } finally {
    await database.close()
  }
}

/**
 * Opens SQLite in `dataDir`, or PostgreSQL if `databaseUrl` is given.
 * @param server the name of the server that opens the store; undefined for a command
 */
export async function openLeadDatabase(
  dataDir: string,
  databaseUrl?: string,
  server?: string,
  zone = 'UTC',
): Promise<LeadDatabase> {
  const open = () => {
    if (databaseUrl) return openPostgres(databaseUrl, server)
    return server === undefined ? openSqlite(dataDir) : openSqliteAsServer(dataDir, server)
  }
  return { ...(await open()), zone }
}

async function openSqliteAsServer(dataDir: string, server: string): Promise<OpenedDatabase> {
  const unlock = lockStoreForServer(dataDir, server)
  return closeOnFailure(async () => {
    const database = await openSqlite(dataDir)
    const close = () => database.close().finally(unlock)
    await closeOnFailure(() => assertStoreUndamaged(dataDir, database.db), database.close)
    void database.damaged.then(() => markStoreDamaged(dataDir))
    return { ...database, close }
  }, unlock)
}
