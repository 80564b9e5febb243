import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the mode of the servers that have used the store, so that no command fills a production store with demo data. */
export const migrationStoreMode: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create table store_mode (mode text not null)`.execute(db)
  },
}
