import { type Kysely, PostgresAdapter, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { LoggableError } from '#domain/loggable-error.ts'
import { StoreUnavailableError } from '../../faults/database-errors.ts'
import { productVersion } from '../../observability/log.ts'
import { retryConflicts } from '../retry-conflicts.ts'
import type { StoreTables } from '../tables/store-tables.ts'
import { sinceRelease020 } from './0022-since-release-0.2.0.ts'
import {
  assertBaselineReached,
  baselineMigrations,
  type MakeStatements,
} from './baseline-migrations.ts'
import { sinceRelease030 } from './since-release-0.3.0.ts'

/** 0022 does what these migrations of 0.3.0 did. After a rollback, 0.3.0 must not run them again. */
const mergedMigrations: readonly string[] = [
  '0023-audit-changes',
  '0024-last-rejection',
  '0025-find-origins-in-any-case',
  '0026-clock-differences',
  '0028-store-mode',
]

/**
 * All migrations in order of their names. Add a new one to `since-release-0.3.0.ts`, with the next number. It only adds
 * tables, indexes and columns with a default, so that the previous version can run beside the new one during an
 * upgrade. Never change a migration that a published release contains.
 */
export const migrations: Readonly<Record<string, Migration>> = Object.fromEntries(
  Object.entries<MakeStatements>({
    ...baselineMigrations,
    '0022-since-release-0.2.0': sinceRelease020,
    ...Object.fromEntries(mergedMigrations.map((name) => [name, () => []])),
    ...sinceRelease030,
  }).map(([name, makeStatements]) => [name, { up: (db) => runStatements(db, makeStatements) }]),
)

async function runStatements(db: Kysely<unknown>, makeStatements: MakeStatements): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  for (const statement of makeStatements(isPostgres)) await sql.raw(statement).execute(db)
}

/**
 * Migrates a store in one transaction. Keeps what a later version has added, so that this version can start again after
 * a rollback. If several processes migrate at once, the later ones wait and find nothing to do.
 * @throws StoreUnavailableError if a later version has removed something that this version needs
 */
export function migrateStore(db: Kysely<StoreTables>): Promise<void> {
  return retryConflicts(async () => {
    // A new database does not have Kysely's list of migrations yet.
    const done = await findDoneMigrations(db).catch(() => [])
    assertKnownMigrations(done)
    const later = findUnknownMigrations(done)
    // Kysely refuses a database with migrations that its provider lacks, so the provider lists later migrations, too.
    const shown = Object.fromEntries(later.map((name) => [name, { up: async () => undefined }]))
    const provider = { getMigrations: async () => ({ ...shown, ...migrations }) }
    const { error } = await new Migrator({ db, provider }).migrateToLatest()
    if (error !== undefined) throw error
  })
}

const findDoneMigrations = async (db: Kysely<StoreTables>): Promise<readonly string[]> => {
  const rows = await db.selectFrom('kysely_migration').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}

const findUnknownMigrations = (done: readonly string[]) =>
  done.filter((name) => !(name in migrations))

/**
 * Compares a database's schema with this version's schema.
 * @param db a database that a server has used
 * @throws StoreUnavailableError if a later version has removed something that this version needs
 */
export async function findSchemaState(
  db: Kysely<StoreTables>,
): Promise<'older' | 'current' | 'newer'> {
  const done = await findDoneMigrations(db)
  assertKnownMigrations(done)
  if (Object.keys(migrations).some((name) => !done.includes(name))) return 'older'
  return findUnknownMigrations(done).length > 0 ? 'newer' : 'current'
}

/** Rejects if the database does not answer, or if this version cannot run on its schema. */
export async function assertMigrated(db: Kysely<StoreTables>): Promise<void> {
  if ((await findSchemaState(db)) === 'older')
    throw new LoggableError('The database lacks migrations of this version.')
}

/** The name of a migration that removes something contains the earliest version that can run after the migration. */
const needs = /^\d+-needs-(\d+\.\d+\.\d+)-/

/**
 * Checks that no later version has run a migration that removes something, such as
 * `0042-needs-1.0.0-drop-the-old-columns`. This version can run after later versions' other migrations, because those
 * only add.
 * @throws StoreUnavailableError that names the version to start
 */
function assertKnownMigrations(done: readonly string[]): void {
  assertBaselineReached(done)
  const needed = findUnknownMigrations(done).findLast((name) => needs.test(name))
  if (needed === undefined) return
  const [, version] = needs.exec(needed) ?? []
  throw new StoreUnavailableError(
    `A later version has changed the store, and this version, ${productVersion}, can no longer use it. ` +
      `Start version ${version} or later. To go back for good, restore the backup from before that upgrade.`,
  )
}
