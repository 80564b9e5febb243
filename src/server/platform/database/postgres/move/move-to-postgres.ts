import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { type Kysely, sql, type Transaction } from 'kysely'
import { migrateStore } from '../../migrations/migrate-store.ts'
import { runAndClose } from '../../run-and-close.ts'
import { searchKeySecretName } from '../../shared-secret.ts'
import { openSqlite } from '../../sqlite/open-sqlite.ts'
import { openSqliteExclusively } from '../../sqlite/server-lock.ts'
import { type StoreMove as MarkedMove, markMoved, readMove } from '../../store-state.ts'
import type { StoreTables } from '../../tables/store-tables.ts'
import { openPostgres } from '../open-postgres.ts'

export type MoveOutcome =
  /** The leads were copied; counts and checksums of every table match. */
  | { readonly kind: 'copied'; readonly tables: readonly MovedTable[] }
  | { readonly kind: 'already there'; readonly tables: readonly MovedTable[] }
  /** The target holds other leads than the source, or one store has changed since the copy. */
  | { readonly kind: 'target differs'; readonly tables: readonly TableName[] }
  | { readonly kind: 'no source' }
  | { readonly kind: 'source in use' }
  /** The source was moved to another place before. */
  | { readonly kind: 'moved before'; readonly to: MarkedMove }

interface Move {
  readonly dataDir: string
  readonly databaseUrl: string
  /** Epoch milliseconds. */
  readonly now: number
  readonly onProgress: (done: number, total: number) => void
}

/**
 * Copies a SQLite store into PostgreSQL in one transaction and verifies it, so an interrupted copy leaves nothing
 * behind. The source is then marked, and no server starts on it again: both stores hold the same open deliveries.
 * @throws StoreUnavailableError if one of the stores cannot be opened
 */
export async function moveToPostgres(move: Move): Promise<MoveOutcome> {
  const held = await lockSource(move.dataDir)
  if (held.kind !== 'opened')
    return { kind: held.kind === 'missing' ? 'no source' : 'source in use' }
  const { database } = held
  return runAndClose(
    () => moveToTarget(move, database),
    () => database.close(),
  )
}

async function moveToTarget(move: Move, source: DatabaseSync): Promise<MoveOutcome> {
  const { migrationDb: target, place, close } = await openPostgres(move.databaseUrl)
  return runAndClose(async () => {
    const before = readMove(source)
    if (before !== undefined && before.place !== place) return { kind: 'moved before', to: before }
    await migrateStore(target)
    const outcome = await copyOrCompare(source, target, move)
    if (outcome.kind === 'target differs') return outcome
    markMoved(source, { place, at: move.now })
    return outcome
  }, close)
}

/** Migrates the source to the schema of the target, and then locks the source. */
async function lockSource(dataDir: string) {
  const first = openSqliteExclusively(dataDir)
  if (first.kind !== 'opened') return first
  first.database.close()
  const source = await openSqlite(dataDir)
  await runAndClose(source.migrate, source.close)
  return openSqliteExclusively(dataDir)
}

function copyOrCompare(
  source: DatabaseSync,
  target: Kysely<StoreTables>,
  move: Move,
): Promise<MoveOutcome> {
  return target.transaction().execute(async (store) => {
    // A server that starts on the target too early waits, and so does a second copy.
    await sql`lock table leads in exclusive mode`.execute(store)
    await store.deleteFrom('moves').execute()
    const isCopied = await isEmpty(store)
    if (isCopied) await prepareTarget(source, store)
    const total = tableNames.reduce((sum, name) => sum + countRows(source, name), 0)
    let done = 0
    const tables: MovedTable[] = []
    const different: TableName[] = []
    for (const name of tableNames) {
      const read = await readSource(source, name, async (rows) => {
        if (!isCopied) return
        await store
          .insertInto(name)
          .values(rows as never)
          .execute()
        done += rows.length
        move.onProgress(done, total)
      })
      tables.push({ name, rows: read.rows })
      // A target that was used before has its own rows about its breaker.
      if (!isCopied && breakerTables.includes(name)) continue
      if (!read.equals(await digestTarget(store, name))) different.push(name)
    }
    if (isCopied && different.length > 0) {
      throw new Error(
        `PostgreSQL changed rows of ${different.join(', ')} while it stored them. Nothing was kept.`,
      )
    }
    if (different.length > 0) return { kind: 'target differs', tables: different }
    return { kind: isCopied ? 'copied' : 'already there', tables }
  })
}

/** Prepares a new target for the copy, which brings the breaker's row and the secret of the leads' keys. */
async function prepareTarget(
  source: DatabaseSync,
  target: Transaction<StoreTables>,
): Promise<void> {
  for (const name of breakerTables) await target.deleteFrom(name).execute()
  await copySearchKeySecret(source, target)
}

export interface MovedTable {
  readonly name: TableName
  readonly rows: number
}

/**
 * Tables that are not copied. Secrets expire within minutes, and the target makes its own, except the one that
 * {@link copySearchKeySecret} copies. A row in `moves` belongs to the old store. Operators sign in again after a move.
 */
export const uncopiedTables = [
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
] as const

export type TableName = Exclude<
  keyof StoreTables,
  'kysely_migration' | (typeof uncopiedTables)[number]
>

/** Every table of the store, ordered so that a table follows the tables that it refers to. */
export const tableNames: readonly TableName[] = [
  // `lead_index` comes before `leads`, because triggers insert missing index rows for leads.
  'lead_index',
  'lead_keys',
  'error_groups',
  'disclosures',
  'leads',
  'consents',
  'enquirers',
  'deliveries',
  'attempts',
  'returns',
  'return_columns',
  'caps',
  'cap_uses',
  'held_deliveries',
  'delivery_endings',
  'delivery_gate',
  'delivery_holds',
  'operators',
  'operator_credentials',
  'saved_views',
  'audit',
  'audit_outcomes',
  'leads_to_index',
  'jobs',
  'job_members',
  'visits',
  'funnel_counts',
  'affiliates',
  'affiliate_ids',
  'webhooks',
  'notifications',
  'notification_gates',
]

/** Tables about the breaker of one store. A target that was used before has its own rows. */
export const breakerTables: readonly TableName[] = ['delivery_gate', 'delivery_holds']

/** PostgreSQL allows 65,535 parameters in a statement, and a delivery has fewer than 20. */
const batchSize = 500
const fetchSize = 5000

/** Reads a table of the source in batches, and resolves with the digest of its rows. */
export async function readSource(
  source: DatabaseSync,
  table: TableName,
  onRows: (rows: readonly Row[]) => Promise<unknown> | undefined,
): Promise<TableDigest> {
  const digest = new TableDigest()
  let batch: Row[] = []
  for (const row of readRows(source, table)) {
    digest.add(row)
    batch.push(row)
    if (batch.length < batchSize) continue
    await onRows(batch)
    batch = []
  }
  if (batch.length > 0) await onRows(batch)
  return digest
}

/** Reads with a cursor, so that a million rows need little memory. */
export async function digestTarget(
  target: Transaction<StoreTables>,
  table: TableName,
): Promise<TableDigest> {
  const digest = new TableDigest()
  await sql`declare copied no scroll cursor for select * from ${sql.table(table)}`.execute(target)
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(fetchSize)} from copied`.execute(target)
    for (const row of rows) digest.add(row)
    if (rows.length < fetchSize) break
  }
  await sql`close copied`.execute(target)
  return digest
}

export async function copySearchKeySecret(
  source: DatabaseSync,
  target: Transaction<StoreTables>,
): Promise<void> {
  const kept = source.prepare('select value from secrets where name = ?').get(searchKeySecretName)
  if (kept === undefined) return
  const value = String(kept.value)
  await target
    .insertInto('secrets')
    .values({ name: searchKeySecretName, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

export function countRows(source: DatabaseSync, table: TableName): number {
  return Number(source.prepare(`select count(*) as n from ${table}`).get()?.n)
}

/** Whether the store is unused: a new store has rows only in the tables about its breaker. */
export async function isEmpty(target: Kysely<StoreTables>): Promise<boolean> {
  for (const name of tableNames) {
    if (breakerTables.includes(name)) continue
    const { rows } = await sql`select from ${sql.table(name)} limit 1`.execute(target)
    if (rows.length > 0) return false
  }
  return true
}

/**
 * Yields rows so that a duplicate follows the lead that it refers to, even if that lead is newer because it was in
 * quarantine.
 */
function* readRows(source: DatabaseSync, table: TableName): Generator<Row> {
  const parts =
    table === 'leads' ? ['where duplicate_of is null', 'where duplicate_of is not null'] : ['']
  for (const part of parts) {
    yield* source
      .prepare(
        `select * from ${table} ${part} ${table === 'funnel_counts' ? '' : 'order by rowid'}`,
      )
      .iterate() as Iterable<Row>
  }
}

export type Row = Readonly<Record<string, string | number | null>>

/** A checksum of a table's rows in any order, because the two databases sort text differently. */
export class TableDigest {
  rows = 0
  #sum = 0n

  add(row: Row): void {
    const cells = Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))
    const hash = createHash('sha256').update(JSON.stringify(cells)).digest()
    this.rows++
    this.#sum = BigInt.asUintN(64, this.#sum + hash.readBigUInt64BE())
  }

  equals(other: TableDigest): boolean {
    return this.rows === other.rows && this.#sum === other.#sum
  }
}
