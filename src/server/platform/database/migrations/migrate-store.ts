import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { OwnError } from '#domain/own-error.ts'
import { retryConflicts } from '../retry-conflicts.ts'
import type { StoreTables } from '../tables/store-tables.ts'
import { leadsAndDeliveries } from './0001-leads-and-deliveries.ts'
import { deliveryGate } from './0002-delivery-gate.ts'
import { erasedLeads } from './0003-erased-leads.ts'
import { quarantine } from './0004-quarantine.ts'
import { retention } from './0005-retention.ts'
import { attemptReasons } from './0006-attempt-reasons.ts'
import { corrections } from './0007-corrections.ts'
import { breakerProbes } from './0008-breaker-probes.ts'
import { whoWasNotTakenHoldsNobody } from './0009-who-was-not-taken-holds-nobody.ts'
import { movesAndRestores } from './0010-moves-and-restores.ts'
import { answeredProbes } from './0011-answered-probes.ts'
import { operators } from './0012-operators.ts'
import { leadIndex } from './0013-lead-index.ts'
import { jobs } from './0014-jobs.ts'
import { deliveryHistory } from './0015-delivery-history.ts'
import { quarantineFiltersAndExports } from './0016-quarantine-filters-and-exports.ts'
import { leadNews } from './0017-lead-news.ts'
import { keptForms } from './0018-kept-forms.ts'
import { actsByWhom } from './0020-acts-by-whom.ts'
import { whatADeliveryWasBefore } from './0021-what-a-delivery-was-before.ts'
import { emptyKeptForms } from './0022-empty-kept-forms.ts'
import { keyedErrorGroups } from './0023-keyed-error-groups.ts'
import { refuseTooNew } from './refuse-too-new.ts'

/** In order of their names. One that has been released is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-leads-and-deliveries': leadsAndDeliveries,
  '0002-delivery-gate': deliveryGate,
  '0003-erased-leads': erasedLeads,
  '0004-quarantine': quarantine,
  '0005-retention': retention,
  '0006-attempt-reasons': attemptReasons,
  '0007-corrections': corrections,
  '0008-breaker-probes': breakerProbes,
  '0009-who-was-not-taken-holds-nobody': whoWasNotTakenHoldsNobody,
  '0010-moves-and-restores': movesAndRestores,
  '0011-answered-probes': answeredProbes,
  '0012-operators': operators,
  '0013-lead-index': leadIndex,
  '0014-jobs': jobs,
  '0015-delivery-history': deliveryHistory,
  '0016-quarantine-filters-and-exports': quarantineFiltersAndExports,
  '0017-lead-news': leadNews,
  '0018-kept-forms': keptForms,
  '0020-acts-by-whom': actsByWhom,
  '0021-what-a-delivery-was-before': whatADeliveryWasBefore,
  '0022-empty-kept-forms': emptyKeptForms,
  '0023-keyed-error-groups': keyedErrorGroups,
}

/**
 * Brings the schema up to date, all or nothing. What a later version has added is left as it is, so that this one can
 * start again where the later one is rolled back.
 * Several processes may do so at once: the later ones wait and find it done.
 * @throws StoreUnavailableError where a later version has taken away what this one needs
 */
export function migrateStore(db: Kysely<StoreTables>): Promise<void> {
  return retryConflicts(async () => {
    // A new database has no list of them yet.
    const later = laterOf(await doneMigrations(db).catch(() => []))
    refuseTooNew(later)
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

/** Those that this version does not have. */
const laterOf = (done: readonly string[]) => done.filter((name) => !(name in migrations))

/**
 * How the schema compares with the one that this release makes.
 * @param db of a database that a server has used
 * @throws StoreUnavailableError where a later version has taken away what this one needs
 */
export async function schemaState(db: Kysely<StoreTables>): Promise<'older' | 'current' | 'newer'> {
  const done = await doneMigrations(db)
  const later = laterOf(done)
  refuseTooNew(later)
  if (Object.keys(migrations).some((name) => !done.includes(name))) return 'older'
  return later.length > 0 ? 'newer' : 'current'
}

/**
 * Rejects where the database does not answer, lacks a migration that this version needs, or has one that this version
 * cannot live with.
 */
export async function assertMigrated(db: Kysely<StoreTables>): Promise<void> {
  const done = await doneMigrations(db)
  const missing = Object.keys(migrations).filter((name) => !done.includes(name))
  if (missing.length > 0)
    throw new OwnError(`The database lacks the migrations ${missing.join(', ')}.`)
  refuseTooNew(laterOf(done))
}
