import { type BreakerStore, makeBreakerStore } from '#server/delivery/breaker-store.ts'
import { type DeliveryBacklog, makeDeliveryBacklog } from '#server/delivery/delivery-backlog.ts'
import { type DeliveryHolds, makeDeliveryHolds } from '#server/delivery/delivery-holds.ts'
import { type DeliveryQueue, makeDeliveryQueue } from '#server/delivery/delivery-queue.ts'
import { type DeliveryRollups, makeDeliveryRollups } from '#server/delivery/delivery-rollups.ts'
import { type DeliveryRetries, makeDeliveryRetries } from '#server/delivery/retry-deliveries.ts'
import { type DeliverySettling, makeDeliverySettling } from '#server/delivery/settle-deliveries.ts'
import type { LeadIntake } from '#server/enquiries/lead-intake.ts'
import { groupArrivals, makeLeadIntake } from '#server/enquiries/lead-intake.ts'
import { makePersonErasure, type PersonErasure } from '#server/leads/erasure/erase-person.ts'
import {
  type ExportProgresses,
  type LeadPages,
  makeExportProgresses,
} from '#server/leads/export-leads.ts'
import { readLatestChanges } from '#server/leads/latest-changes.ts'
import { makeLeadArchive } from '#server/leads/lead-archive.ts'
import { type LeadIndex, makeLeadIndex } from '#server/leads/lead-index.ts'
import { makeLeadPages } from '#server/leads/lead-pages.ts'
import type { HeldReleases } from '#server/leads/quarantine/held-releases.ts'
import type { LeadArchive } from '#server/leads/read-leads.ts'
import type { LeadQuarantine } from '#server/leads/release-leads.ts'
import { makeSavedViews, type SavedViews } from '#server/leads/saved-views.ts'
import { makeHeldReleases } from '#server/leads/store/held-releases.ts'
import { makeLeadQuarantine } from '#server/leads/store/lead-quarantine.ts'
import { type AuditLog, makeAuditLog } from '#server/operators/audit.ts'
import type { OperatorStore } from '#server/operators/operator.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { assertMigrated } from '#server/platform/database/migrations/migrate-store.ts'
import { openLeadDatabase } from '#server/platform/database/open-lead-database.ts'
import { Readiness, tryToWrite } from '#server/platform/database/readiness.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import { sharedSecret } from '#server/platform/database/shared-secret.ts'
import { refuseMoved, type StoreState, stateOf } from '#server/platform/database/store-state.ts'
import type { StoreUnavailableError } from '#server/platform/faults/database-errors.ts'

export interface StoreSettings {
  /** The folder of `leads.sqlite`; made where it is missing. */
  readonly dataDir: string
  /** `postgres://…`: leads go there instead. */
  readonly databaseUrl?: string | undefined
  /** Opened by a server, under this name: on SQLite it is then the only one. See running-server.ts. */
  readonly server?: string | undefined
}

/** Parts of a store whose reading is limited in time and holds up nobody else. */
export type ConsoleReading = Pick<
  Store,
  | 'archive'
  | 'audit'
  | 'backlog'
  | 'breaker'
  | 'database'
  | 'exportProgresses'
  | 'heldReleases'
  | 'holds'
  | 'index'
  | 'pages'
  | 'quarantine'
  | 'rollups'
  | 'views'
>

export interface Store {
  readonly intake: LeadIntake
  readonly queue: DeliveryQueue
  readonly breaker: BreakerStore
  readonly holds: DeliveryHolds
  readonly backlog: DeliveryBacklog
  readonly rollups: DeliveryRollups
  readonly archive: LeadArchive
  readonly pages: LeadPages
  /** The keys for finding leads in the console. */
  readonly index: LeadIndex
  readonly views: SavedViews
  readonly exportProgresses: ExportProgresses
  /** See latest-changes.ts. */
  readonly readLatestChanges: () => Promise<string>
  readonly retries: DeliveryRetries
  readonly settling: DeliverySettling
  readonly erasure: PersonErasure
  readonly quarantine: LeadQuarantine
  readonly heldReleases: HeldReleases
  readonly operators: OperatorStore
  readonly audit: AuditLog
  /** For functions that take the database itself. */
  readonly database: LeadDatabase
  /** For what an operator asks the console: see `bounded` in lead-database.ts. */
  readonly forConsole: ConsoleReading
  /** The file's path; or host, port and database. */
  readonly place: string
  /** Whether a server has ever kept leads here. */
  isMade(): Promise<boolean>
  /** The store's state and its users. */
  state(): Promise<StoreState>
  /** See shared-secret.ts. */
  sharedSecret(name: string, make: () => string): Promise<string>
  /**
   * Brings the schema up to date; any number of processes may do so at once.
   * @throws StoreMovedError where a server has opened it and its leads have gone elsewhere
   */
  migrate(): Promise<void>
  /**
   * Resolves where the database answers, has every migration and takes writes, else rejects; where an enquiry could not
   * be stored, until it takes as much as those need.
   */
  ready(): Promise<void>
  /**
   * Resolves where the file is found damaged while it is open, with words for an operator. From then on nothing is accepted,
   * and it is not ready.
   */
  readonly damaged: Promise<StoreUnavailableError>
  /** Takes no more leads, finishes those under way and closes the database. */
  close(): Promise<void>
}

/**
 * Opens where leads are kept: SQLite in `dataDir`, or PostgreSQL where an address is given.
 * @throws StoreUnavailableError, with words for an operator, where that cannot be used
 */
export async function openStore({ dataDir, databaseUrl, server }: StoreSettings): Promise<Store> {
  const database = await openLeadDatabase(dataDir, databaseUrl, server)
  const { db, bounded } = database
  const readiness = new Readiness({
    assertUsable: async () => {
      await assertMigrated(db)
      await database.assertWritable()
    },
    tryToWrite: () => tryToWrite(db),
  })
  void database.damaged.then((error) => readiness.foundDamaged(error))
  const storeArrival = groupArrivals(database.run)
  const intake = makeLeadIntake(async (arrival) => {
    readiness.assertUndamaged()
    try {
      const accepted = await storeArrival(arrival)
      readiness.stored()
      return accepted
    } catch (error) {
      readiness.refused(error)
      throw error
    }
  })
  return {
    ...readingOf(database),
    forConsole: readingOf({ ...database, db: bounded, patient: bounded }),
    intake,
    queue: makeDeliveryQueue(database),
    readLatestChanges: () => readLatestChanges(db),
    retries: makeDeliveryRetries(database),
    settling: makeDeliverySettling(database),
    erasure: makePersonErasure(database),
    operators: { db, locking: database.locking },
    place: database.place,
    isMade: () => retryConflicts(() => database.hasTable('leads')),
    state: () => retryConflicts(() => stateOf(database)),
    sharedSecret: (name, make) => sharedSecret(db, name, make),
    migrate: async () => {
      await database.migrate()
      if (server !== undefined) await refuseMoved(database)
    },
    damaged: database.damaged,
    ready: () => readiness.ready(),
    close: async () => {
      await intake.close()
      await database.close()
    },
  }
}

function readingOf(database: LeadDatabase): ConsoleReading {
  const { db, patient } = database
  return {
    archive: makeLeadArchive(database),
    audit: makeAuditLog(db),
    backlog: makeDeliveryBacklog(db),
    breaker: makeBreakerStore(db),
    database,
    exportProgresses: makeExportProgresses(db),
    heldReleases: makeHeldReleases(database),
    holds: makeDeliveryHolds(db),
    index: makeLeadIndex(database),
    pages: makeLeadPages(patient),
    quarantine: makeLeadQuarantine(database),
    rollups: makeDeliveryRollups(db),
    views: makeSavedViews(db),
  }
}
