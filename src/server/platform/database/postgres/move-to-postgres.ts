import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { type Kysely, sql, type Transaction } from 'kysely'
import { migrateStore } from '../migrations/migrate-store.ts'
import { runAndClose } from '../run-and-close.ts'
import { movedSecretNames } from '../shared-secret.ts'
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
  /** This move or an earlier one copied the leads; counts and checksums of every table match. */
  | { readonly kind: 'copied' | 'already there'; readonly tables: readonly CopiedTable[] }
  /** The target contains other leads than the source, or one of the two stores has changed since the copy. */
  | { readonly kind: 'target differs'; readonly tables: readonly string[] }
  | { readonly kind: 'no source' | 'source in use' }
  /** An earlier move copied the source to another place. */
  | { readonly kind: 'moved before'; readonly to: StoreMove }

interface MoveOptions {
  readonly dataDir: string
  readonly databaseUrl: string
  readonly now: number
  readonly onProgress: (done: number, total: number) => void
}

/**
 * Copies a SQLite store into PostgreSQL in one transaction and verifies the copy, so an interrupted move leaves nothing
 * behind. A copied store is marked, so that no server starts on it and delivers its open deliveries a second time.
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

/** Migrates the source to this version's schema, and then locks the source. */
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
  return target.transaction().execute(async (tx) => {
    // The lock makes a second copy wait, and a server that starts on the target too early.
    await sql`lock table leads in exclusive mode`.execute(tx)
    await tx.deleteFrom('moves').execute()
    const names = listTables(source)
    const isNew = await isEmpty(tx, names)
    if (isNew) await prepareTarget(source, tx)
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
        await tx.insertInto(name).values(values).execute()
        done += batch.length
        onProgress(done, total)
      }
      tables.push({ name, rows: read.rows })
      // After an interrupted move, PostgreSQL takes these tables for empty: for each later row, its triggers would read a
      // whole index of them.
      if (isNew) await sql`analyze ${sql.table(name)}`.execute(tx)
      // If a server has used the target, the target's breaker may differ from the source's.
      if (!isNew && name === breakerTable) continue
      if (!read.equals(await digestTarget(tx, name))) different.push(name)
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
 * The tables that are not copied. The target makes its own secrets, except those of `movedSecretNames`. A row in
 * `moves` or `store_mode` describes only the store that contains it. Operators sign in again after a move.
 */
const uncopiedTables = [
  'secrets',
  'moves',
  'store_mode',
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

/** Lists the tables to copy, each after the tables that it refers to. */
function listTables(source: DatabaseSync): readonly TableName[] {
  const names = source.prepare(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name",
  )
  const references = source.prepare('select "table" as name from pragma_foreign_key_list(?)')
  // `lead_index` comes before `leads`, because a trigger inserts an index row for each lead that has none. The ledger
  // comes before deliveries and returns for the same reason.
  const listed = new Set(['lead_index', 'lead_ledger'])
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

/** The breaker's table, which is the only copied table with a row in a new store. */
const breakerTable: TableName = 'delivery_gate'

/**
 * Deletes the target's breaker row, which the copy replaces, and copies the secrets with which copied rows were hashed.
 */
async function prepareTarget(
  source: DatabaseSync,
  target: Transaction<StoreTables>,
): Promise<void> {
  await target.deleteFrom(breakerTable).execute()
  for (const name of movedSecretNames) {
    const secret = source.prepare('select value from secrets where name = ?').get(name)
    if (secret === undefined) continue
    await target
      .updateTable('secrets')
      .set({ value: String(secret.value) })
      .where('name', '=', name)
      .execute()
  }
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

/** Small enough for PostgreSQL's limit of 65,535 parameters in a statement: no table has 100 columns. */
const batchSize = 500

/** Yields a table's rows in batches. Duplicates come last, because each refers to another lead. */
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

/** Computes a table's digest with a cursor, so that a million rows need little memory. */
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

/** A checksum of a table's rows in any order, because SQLite and PostgreSQL sort text differently. */
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
