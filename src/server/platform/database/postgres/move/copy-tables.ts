import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { type Kysely, sql, type Transaction } from 'kysely'
import { leadKeySecretName } from '../../shared-secret.ts'
import type { StoreTables } from '../../tables/store-tables.ts'

/**
 * Secrets are not copied: their use ends within minutes, and the target makes its own; only the
 * secret of the search keys is copied (see {@link copyLeadKeySecret}). `moves` is of a place.
 * Operators sign in again.
 */
export const leftBehind = [
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
] as const

export type TableName = Exclude<keyof StoreTables, 'kysely_migration' | (typeof leftBehind)[number]>

/** Every table of the store, after those that it refers to. */
export const tableNames: readonly TableName[] = [
  // Before the leads: triggers make rows for leads that have none.
  'lead_index',
  'lead_keys',
  'error_groups',
  'disclosures',
  'leads',
  'consents',
  'enquirers',
  'deliveries',
  'attempts',
  'delivery_endings',
  'delivery_gate',
  'delivery_holds',
  'operators',
  'operator_credentials',
  'saved_views',
  'audit',
  'audit_outcomes',
  'leads_to_index',
  'held_releases',
  'jobs',
  'job_members',
]

/** The holds of deliveries at this store, now and before: a target that was tried has its own. */
export const ofThePlace: readonly TableName[] = ['delivery_gate', 'delivery_holds']

/** PostgreSQL takes 65,535 parameters a statement; a delivery has fewer than 20. */
const batchSize = 500
const fetchSize = 5000

/** Reads a table of the source in batches, and resolves with the digest of what was read. */
export async function readSource(
  source: DatabaseSync,
  table: TableName,
  onRows: (rows: readonly Row[]) => Promise<unknown> | undefined,
): Promise<TableDigest> {
  const digest = new TableDigest()
  let batch: Row[] = []
  for (const row of rowsOf(source, table)) {
    digest.add(row)
    batch.push(row)
    if (batch.length < batchSize) continue
    await onRows(batch)
    batch = []
  }
  if (batch.length > 0) await onRows(batch)
  return digest
}

/** Reads by a cursor, which needs no memory for a million rows. */
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

/** The keys of leads are hashed with it. */
export async function copyLeadKeySecret(
  source: DatabaseSync,
  target: Transaction<StoreTables>,
): Promise<void> {
  const kept = source.prepare('select value from secrets where name = ?').get(leadKeySecretName)
  if (kept === undefined) return
  const value = String(kept.value)
  await target
    .insertInto('secrets')
    .values({ name: leadKeySecretName, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

export function countRows(source: DatabaseSync, table: TableName): number {
  return Number(source.prepare(`select count(*) as n from ${table}`).get()?.n)
}

/** The store is unused: a new store has only the breaker's row, or its recorded holds. */
export async function isEmpty(target: Kysely<StoreTables>): Promise<boolean> {
  for (const name of tableNames) {
    if (ofThePlace.includes(name)) continue
    const { rows } = await sql`select from ${sql.table(name)} limit 1`.execute(target)
    if (rows.length > 0) return false
  }
  return true
}

/** A duplicate comes after the lead that it refers to, which may be a later one where it was in quarantine. */
function* rowsOf(source: DatabaseSync, table: TableName): Generator<Row> {
  const parts =
    table === 'leads' ? ['where duplicate_of is null', 'where duplicate_of is not null'] : ['']
  for (const part of parts) {
    yield* source
      .prepare(`select * from ${table} ${part} order by rowid`)
      .iterate() as Iterable<Row>
  }
}

export type Row = Readonly<Record<string, string | number | null>>

/** A checksum of a table's rows in any order: two databases sort texts differently. */
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
