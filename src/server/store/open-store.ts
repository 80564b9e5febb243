import type { LeadIntake } from '#server/use-cases/accept-enquiry.ts'
import type { DeliveryQueue } from '#server/use-cases/deliver-leads.ts'
import type { LeadArchive } from '#server/use-cases/read-leads.ts'
import { makeDeliveryQueue } from './delivery-queue.ts'
import { makeLeadArchive } from './lead-archive.ts'
import { makeLeadIntake } from './lead-intake.ts'
import { assertMigrated, migrateStore } from './migrate-store.ts'
import { openPostgres } from './open-postgres.ts'
import { openSqlite } from './open-sqlite.ts'

export interface StoreSettings {
  /** The folder of `leads.sqlite`; made where it is missing. */
  readonly dataDir: string
  /** `postgres://…`: leads go there instead. */
  readonly databaseUrl?: string | undefined
}

export interface Store {
  readonly intake: LeadIntake
  readonly queue: DeliveryQueue
  readonly archive: LeadArchive
  /** Brings the schema up to date; any number of processes may do so at once. */
  migrate(): Promise<void>
  /** Resolves where the database answers and has every migration, else rejects. */
  ready(): Promise<void>
  /** Takes no more leads, finishes those under way and closes the database. */
  close(): Promise<void>
}

/**
 * Opens where leads are kept: SQLite in `dataDir`, or PostgreSQL where an address is given.
 * @throws StoreUnavailableError, with words for an operator, where that cannot be used
 */
export async function openStore({ dataDir, databaseUrl }: StoreSettings): Promise<Store> {
  const db = databaseUrl ? await openPostgres(databaseUrl) : await openSqlite(dataDir)
  const intake = makeLeadIntake(db)
  return {
    intake,
    queue: makeDeliveryQueue(db, Boolean(databaseUrl)),
    archive: makeLeadArchive(db),
    migrate: () => migrateStore(db),
    ready: () => assertMigrated(db),
    close: async () => {
      await intake.close()
      await db.destroy()
    },
  }
}
