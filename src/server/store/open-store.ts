import type { Kysely } from 'kysely'
import { makeBreakerStore } from '#server/delivery/breaker-store.ts'
import { makeDeliveryBacklog, makeDeliveryRollups } from '#server/delivery/delivery-counts.ts'
import { makeDeliveryQueue } from '#server/delivery/delivery-queue.ts'
import { makeLeadIntake } from '#server/enquiries/lead-intake.ts'
import { makePersonEraser } from '#server/leads/erase-person.ts'
import { readKnownOrigins } from '#server/leads/lead-origins.ts'
import { makeLeadReader } from '#server/leads/read-leads.ts'
import { makeFunnelReader } from '#server/measuring/funnel-reader.ts'
import { makeVisitStore } from '#server/measuring/visit-store.ts'
import { makeAuditLog } from '#server/operators/audit.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { assertMigrated } from '#server/platform/database/migrations/migrate-store.ts'
import { makeStoreReadiness, tryTestWrite } from '#server/platform/database/readiness.ts'
import { closeOnFailure } from '#server/platform/database/run-and-close.ts'
import { readSharedSecret } from '#server/platform/database/shared-secret.ts'
import { makeStoreClock } from '#server/platform/database/store-clock.ts'
import {
  assertNotMoved,
  openLeadDatabase,
  readStoreMode,
  readStoreState,
  rememberStoreMode,
  type StoreMode,
} from '#server/platform/database/store-state.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { makeIdPrefix } from '#server/platform/database/time-ordered-id.ts'
import { makeProportionalLifetime, makeTimedCache } from '#server/platform/timed-cache.ts'

export interface StoreSettings {
  /** The folder of `leads.sqlite`, which is created if it is missing. */
  readonly dataDir: string
  /** A `postgres://…` URL, if leads are stored in PostgreSQL. */
  readonly databaseUrl?: string | undefined
  /** The school's time zone, which decides when a day begins; UTC by default. */
  readonly zone?: string | undefined
  /** The name of the server that opens the store; undefined for a command. A SQLite store can have only one server. */
  readonly server?: string | undefined
}

export type Store = Awaited<ReturnType<typeof openStore>>

/**
 * Opens the store: SQLite in `dataDir`, or PostgreSQL if `databaseUrl` is given.
 * @param wall the machine's clock
 * @throws StoreUnavailableError with a message for the operator, if the store cannot be used
 */
export async function openStore(
  { dataDir, databaseUrl, server, zone = 'UTC' }: StoreSettings,
  wall: () => number = Date.now,
) {
  const database = await openLeadDatabase(dataDir, databaseUrl, server, zone)
  const storeClock = makeStoreClock(database.readTime, { wall })
  await closeOnFailure(storeClock.measure, database.close)
  const { db, consoleDb, place, damaged } = database
  const assertUsable = async () => {
    await assertMigrated(db)
    await database.assertWritable()
  }
  const readiness = makeStoreReadiness(assertUsable, () => tryTestWrite(db))
  void Promise.race([damaged, database.replaced]).then(readiness.foundDamaged)
  const intake = makeLeadIntake(database.run, readiness)
  return {
    ...makeConsoleReaders(database),
    zone,
    /** For the console's queries: see `consoleDb` in lead-database.ts. */
    forConsole: makeConsoleReaders({ ...database, db: consoleDb, longQueryDb: consoleDb }),
    intake,
    queue: makeDeliveryQueue(database),
    /** Returns the time for everything that is stored or compared, in epoch milliseconds. */
    clock: storeClock.now,
    storeClock,
    readChangeMarker: () => readChangeMarker(db, storeClock.now()),
    erasure: makePersonEraser(database),
    visits: makeVisitStore(database),
    operators: { db },
    place,
    /** Resolves once SQLite finds its file damaged (see lead-database.ts); from then on, the store accepts no leads. */
    damaged,
    /** Whether a server has ever used this store. */
    isMade: () => database.hasTable('leads'),
    state: () => readStoreState(database),
    readSharedSecret: (name: string) => readSharedSecret(db, name),
    /**
     * Brings the schema up to date. Several processes may migrate the store at once.
     * @throws StoreMovedError if the store's leads were moved elsewhere
     */
    migrate: async () => {
      await database.migrate()
      if (server !== undefined) await assertNotMoved(database)
    },
    mode: () => readStoreMode(db),
    rememberMode: (mode: StoreMode) => rememberStoreMode(db, mode),
    /** Rejects if enquiries cannot be stored. */
    ready: readiness.ready,
    /** Accepts no more leads, stores the leads that wait, and closes the database. */
    close: async () => {
      await intake.close()
      await database.close()
    },
  }
}

function makeConsoleReaders(database: LeadDatabase) {
  const { db } = database
  return {
    leadReader: makeLeadReader(database),
    audit: makeAuditLog(db),
    backlog: makeDeliveryBacklog(db),
    breaker: makeBreakerStore(db),
    database,
    funnel: makeFunnelReader(database),
    /** Lists the values that the filters by affiliate, source and so on suggest, at most 50 each. */
    knownOrigins: makeTimedCache(() => readKnownOrigins(db), makeProportionalLifetime(20)),
    rollups: makeDeliveryRollups(db),
  }
}

/** The longest time from making a row's id to committing the row, in milliseconds. */
const recentMs = 10_000

/** How many of the newest open jobs the marker covers. A plan stays open for a week, so many jobs can be open. */
const maxOpenJobs = 50

/**
 * Reads a text that changes when leads, attempts, jobs or the breaker change; open pages of the console then reload.
 * The queries read only the ends of a few indexes, so they stay fast however many leads there are. The text also
 * changes when a new row becomes ten seconds old.
 */
export const readChangeMarker = async (db: Kysely<StoreTables>, now: number): Promise<string> => {
  const newest = (table: 'leads' | 'attempts' | 'audit') =>
    db
      .selectFrom(table)
      .select(({ fn }) => [fn.countAll().as('rows'), fn.max('id').as('newest')])
      .where('id', '>', makeIdPrefix(now - recentMs))
      .executeTakeFirst()
  return JSON.stringify([
    await newest('leads'),
    await newest('attempts'),
    await newest('audit'),
    await db.selectFrom('delivery_gate').selectAll().execute(),
    await db
      .selectFrom('jobs')
      .select(['id', 'phase', 'plan', 'members', 'done', 'paused_at'])
      .where('ended_at', 'is', null)
      .orderBy('id', 'desc')
      .limit(maxOpenJobs)
      .execute(),
  ])
}
