import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { type Kysely, sql, type Transaction } from 'kysely'
import { migrateStore } from '../migrations/migrate-store.ts'
import { runAndClose } from '../run-and-close.ts'
import { searchKeySecretName } from '../shared-secret.ts'
import { openSqlite } from '../sqlite/open-sqlite.ts'
import { openSqliteExclusively } from '../sqlite/server-lock.ts'
import { markStoreMoved, readStoreMove, type StoreMove } from '../store-state.ts'
import type { StoreTables } from '../tables/store-tables.ts'
import { openPostgres } from './open-postgres.ts'

export interface CopiedTable {
  readonly name: string
  readonly rows: number
}

type MoveOutcome =
  /** The leads were copied, now or by an earlier move; counts and checksums of every table match. */
  | { readonly kind: 'copied' | 'already there'; readonly tables: readonly CopiedTable[] }
  /** The target contains other leads than the source, or one of the two stores has changed since the copy. */
  | { readonly kind: 'target differs'; readonly tables: readonly string[] }
  | { readonly kind: 'no source' | 'source in use' }
  /** The source was moved to another place before. */
  | { readonly kind: 'moved before'; readonly to: StoreMove }

interface MoveOptions {
  readonly dataDir: string
  readonly databaseUrl: string
  /** Epoch milliseconds. */
  readonly now: number
  readonly onProgress: (done: number, total: number) => void
}

/**
 * Copies a SQLite store into PostgreSQL in one transaction and verifies it, so an interrupted copy leaves nothing
 * behind. The source is then marked, and no server starts on it again: both stores contain the same open deliveries.
 * @throws StoreUnavailableError if one of the stores cannot be opened
 */
export async function moveToPostgres(options: MoveOptions): Promise<MoveOutcome> {
  const locked = await lockSource(options.dataDir)
  if (typeof locked === 'string') return { kind: locked }
  using source = locked
  const { migrationDb: target, place, close } = await openPostgres(options.databaseUrl)
  return await runAndClose(async () => {
    const earlier = readStoreMove(source)
    if (earlier !== undefined && earlier.place !== place)
      return { kind: 'moved before', to: earlier }
    await migrateStore(target)
    const outcome = await copyOrCompare(source, target, options.onProgress)
    if (outcome.kind !== 'target differs') markStoreMoved(source, { place, at: options.now })
    return outcome
  }, close)
}

/** Migrates the source to the schema of the target, and then locks the source. */
async function lockSource(dataDir: string) {
  const unmigrated = openSqliteExclusively(dataDir)
  if (typeof unmigrated === 'string') return unmigrated
  unmigrated.close()
  const source = await openSqlite(dataDir)
  await runAndClose(source.migrate, source.close)
  return openSqliteExclusively(dataDir)
}

function copyOrCompare(
  source: DatabaseSync,
  target: Kysely<StoreTables>,
  onProgress: MoveOptions['onProgress'],
): Promise<MoveOutcome> {
  return target.transaction().execute(async (store) => {
    // A server that starts on the target too early waits, and so does a second copy.
    await sql`lock table leads in exclusive mode`.execute(store)
    await store.deleteFrom('moves').execute()
    const names = listTables(source)
    const isNew = await isEmpty(store, names)
    if (isNew) await prepareTarget(source, store)
    const total = names.reduce((sum, name) => sum + countTableRows(source, name), 0)
    let done = 0
    const tables: CopiedTable[] = []
    const different: string[] = []
    for (const name of names) {
      const read = new TableDigest()
      for (const batch of readBatches(source, name)) {
        for (const row of batch) read.add(row)
        if (!isNew) continue
        const values = batch as never
        await store.insertInto(name).values(values).execute()
        done += batch.length
        onProgress(done, total)
      }
      tables.push({ name, rows: read.rows })
      // A target that was used before has a breaker of its own.
      if (!isNew && name === breakerTable) continue
      if (!read.equals(await digestTarget(store, name))) different.push(name)
    }
    if (isNew && different.length > 0) {
      throw new Error(
        `PostgreSQL changed rows of ${different.join(', ')} while it stored them. Nothing was kept.`,
      )
    }
    if (different.length > 0) return { kind: 'target differs', tables: different }
    return { kind: isNew ? 'copied' : 'already there', tables }
  })
}

/**
 * Tables that are not copied. Secrets expire within minutes, and the target makes its own, except the secret of the
 * leads' keys. A row in `moves` belongs to the old store. Operators sign in again after a move.
 */
const uncopiedTables = [
  'secrets',
  'moves',
  'operator_links',
  'operator_sessions',
  'sign_in_failures',
  'kept_forms',
  'lead_changes',
  'lead_searches',
  'delivery_rollups',
  'lead_news',
  'export_progress',
  'held_releases',
  'alert_state',
  'kysely_migration',
  'kysely_migration_lock',
]

type TableName = keyof StoreTables

/** Lists the copied tables. Each table follows the tables that it refers to. */
function listTables(source: DatabaseSync): readonly TableName[] {
  const names = source.prepare(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name",
  )
  const references = source.prepare('select "table" as name from pragma_foreign_key_list(?)')
  // Triggers insert missing index rows for leads, so `lead_index` comes before `leads`.
  const listed = new Set(['lead_index'])
  const visited = new Set(uncopiedTables)
  const list = (name: string): void => {
    if (visited.has(name)) return
    visited.add(name)
    for (const reference of references.all(name)) list(String(reference.name))
    listed.add(name)
  }
  for (const { name } of names.all()) list(String(name))
  return [...listed] as TableName[]
}

/** A new store has a row about its breaker in this table, and is empty otherwise. */
const breakerTable: TableName = 'delivery_gate'

/**
 * Deletes the new store's own breaker row, which the copy would duplicate, and takes over the source's search key, which
 * made the hashes of the copied leads.
 */
async function prepareTarget(
  source: DatabaseSync,
  target: Transaction<StoreTables>,
): Promise<void> {
  await target.deleteFrom(breakerTable).execute()
  const secret = source.prepare('select value from secrets where name = ?').get(searchKeySecretName)
  if (secret === undefined) return
  await target
    .updateTable('secrets')
    .set({ value: String(secret.value) })
    .where('name', '=', searchKeySecretName)
    .execute()
}

const countTableRows = (source: DatabaseSync, table: TableName): number =>
  Number(source.prepare(`select count(*) as n from ${table}`).get()?.n)

async function isEmpty(
  target: Transaction<StoreTables>,
  names: readonly TableName[],
): Promise<boolean> {
  for (const name of names) {
    if (name === breakerTable) continue
    const { rows } = await sql`select from ${sql.table(name)} limit 1`.execute(target)
    if (rows.length > 0) return false
  }
  return true
}

/** PostgreSQL allows 65,535 parameters in a statement, and a delivery has fewer than 20. */
const batchSize = 500

/**
 * Yields rows so that a duplicate follows the lead that it refers to, even if that lead is newer because it was in
 * quarantine.
 */
function* readBatches(source: DatabaseSync, table: TableName): Generator<readonly CopiedRow[]> {
  const parts =
    table === 'leads' ? ['where duplicate_of is null', 'where duplicate_of is not null'] : ['']
  for (const part of parts) {
    let batch: CopiedRow[] = []
    for (const row of source.prepare(`select * from ${table} ${part}`).iterate()) {
      batch.push(row as CopiedRow)
      if (batch.length < batchSize) continue
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
  }
}

const fetchSize = 5000

/** Reads with a cursor, so that a million rows need little memory. */
async function digestTarget(
  target: Transaction<StoreTables>,
  table: TableName,
): Promise<TableDigest> {
  const digest = new TableDigest()
  await sql`declare copied no scroll cursor for select * from ${sql.table(table)}`.execute(target)
  for (;;) {
    const { rows } = await sql<CopiedRow>`fetch ${sql.lit(fetchSize)} from copied`.execute(target)
    for (const row of rows) digest.add(row)
    if (rows.length < fetchSize) break
  }
  await sql`close copied`.execute(target)
  return digest
}

export type CopiedRow = Readonly<Record<string, string | number | null>>

/** A checksum of a table's rows in any order, because the two databases sort text differently. */
export class TableDigest {
  rows = 0
  #sum = 0n

  add(row: CopiedRow): void {
    const cells = Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))
    const hash = createHash('sha256').update(JSON.stringify(cells)).digest()
    this.rows++
    this.#sum = BigInt.asUintN(64, this.#sum + hash.readBigUInt64BE())
  }

  equals(other: TableDigest): boolean {
    return this.rows === other.rows && this.#sum === other.#sum
  }
}
