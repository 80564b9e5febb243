import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { LoggableError } from '#domain/loggable-error.ts'
import { StoreUnavailableError } from '../../faults/database-errors.ts'
import { productVersion } from '../../observability/log.ts'
import { retryConflicts } from '../retry-conflicts.ts'
import type { StoreTables } from '../tables/store-tables.ts'
import { emptyKeptForms } from './0022-empty-kept-forms.ts'
import { keyedErrorGroups } from './0023-keyed-error-groups.ts'
import { leadIndexInTransaction } from './0024-lead-index-in-transaction.ts'
import { baseline, refuseOlderThanBaseline } from './baseline.ts'

/**
 * In order of their names. Add yours at the end, with the next number. A migration only adds (tables, columns with a default,
 * indexes), so that the release before runs beside it during an upgrade, and a released one is never changed.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  ...baseline,
  '0022-empty-kept-forms': emptyKeptForms,
  '0023-keyed-error-groups': keyedErrorGroups,
  '0024-lead-index-in-transaction': leadIndexInTransaction,
}

/**
 * Brings the schema up to date, all or nothing. Additions of a later release are left as they are,
 * so that this one can start again after a rollback. Several processes may do so at once: the
 * later ones wait and find it done.
 * @throws StoreUnavailableError where a later release has taken away what this one needs
 */
export function migrateStore(db: Kysely<StoreTables>): Promise<void> {
  return retryConflicts(async () => {
    // A new database has no list of them yet.
    const done = await doneMigrations(db).catch(() => [])
    refuseForeign(done)
    const later = laterOf(done)
    // Kysely refuses a database with a migration that it is not shown.
    const shown = Object.fromEntries(later.map((name) => [name, { up: async () => undefined }]))
    const provider = { getMigrations: async () => ({ ...shown, ...migrations }) }
    const { error } = await new Migrator({ db, provider }).migrateToLatest()
    if (error !== undefined) throw error
  })
}

const doneMigrations = async (db: Kysely<StoreTables>): Promise<readonly string[]> => {
  const rows = await db.selectFrom('kysely_migration').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}

/** Those that this release does not have. */
const laterOf = (done: readonly string[]) => done.filter((name) => !(name in migrations))

const missingIn = (done: readonly string[]) =>
  Object.keys(migrations).filter((name) => !done.includes(name))

/**
 * How the schema compares with the one that this release makes.
 * @param db of a database that a server has used
 * @throws StoreUnavailableError where a later release has taken away what this one needs
 */
export async function schemaState(db: Kysely<StoreTables>): Promise<'older' | 'current' | 'newer'> {
  const done = await doneMigrations(db)
  refuseForeign(done)
  if (missingIn(done).length > 0) return 'older'
  return laterOf(done).length > 0 ? 'newer' : 'current'
}

/**
 * Rejects where the database does not answer, lacks a migration that this release needs, or has one that this release
 * cannot live with.
 */
export async function assertMigrated(db: Kysely<StoreTables>): Promise<void> {
  const done = await doneMigrations(db)
  refuseForeign(done)
  const missing = missingIn(done)
  if (missing.length > 0)
    throw new LoggableError(`The database lacks the migrations ${missing.join(', ')}.`)
}

/** A migration that takes away what the release before used carries the version it came with in its name. */
const needs = /^\d+-needs-(\d+\.\d+\.\d+)-/

/**
 * A later release's migrations only add, and this one runs beside them, except for those whose names say otherwise:
 * `0042-needs-1.0.0-drop-the-old-columns`.
 * @throws StoreUnavailableError that names the release to start
 */
function refuseForeign(done: readonly string[]): void {
  refuseOlderThanBaseline(done)
  const needed = laterOf(done).findLast((name) => needs.test(name))
  if (needed === undefined) return
  const [, version] = needs.exec(needed) ?? []
  throw new StoreUnavailableError(
    `The leads were taken over by a newer release, and this one, ${productVersion}, can no longer use them: ` +
      `start ${version} or a later one. To go back for good, restore the backup from before that upgrade.`,
  )
}
