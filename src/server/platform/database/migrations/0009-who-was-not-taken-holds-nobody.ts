import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { duplicateWindowMs } from '#domain/lead/duplicate.ts'
import { passDedupeKeysOn } from '#server/leads/dedupe-keys/pass-dedupe-keys-on.ts'
import type { StoreTables } from '../tables/store-tables.ts'

/** Who repeats a lead can be found, and whoever the last 24 hours have held for a lead that was not taken is let go. */
export const whoWasNotTakenHoldsNobody: Migration = {
  async up(db: Kysely<StoreTables>) {
    // Holds duplicates and nothing else.
    await db.schema
      .createIndex('leads_repeating')
      .on('leads')
      .column('duplicate_of')
      .where(sql.ref('duplicate_of'), 'is not', null)
      .execute()
    const holders = await findHolders(db, Date.now() - duplicateWindowMs)
    for (let begin = 0; begin < holders.length; begin += batchSize) {
      await passDedupeKeysOn(db, holders.slice(begin, begin + batchSize), 'file')
    }
  },
}

/** PostgreSQL takes 65,535 parameters a statement. */
const batchSize = 1000

/** Leads that were not taken, and hold a key or somebody of the time since. */
async function findHolders(db: Kysely<StoreTables>, since: number): Promise<readonly string[]> {
  const withKey = await db
    .selectFrom('enquirers')
    .innerJoin('deliveries', 'deliveries.lead_id', 'enquirers.lead_id')
    .select('enquirers.lead_id')
    .where('enquirers.received_at', '>', since)
    .where('settled_as', 'in', ['rejected', 'dead'])
    .execute()
  const repeated = await db
    .selectFrom('leads')
    .innerJoin('deliveries', 'deliveries.lead_id', 'leads.duplicate_of')
    .select('deliveries.lead_id')
    .where('duplicate_of', 'is not', null)
    .where('leads.received_at', '>', since)
    .where('settled_as', 'in', ['rejected', 'dead'])
    .execute()
  return [...new Set([...withKey, ...repeated].map(({ lead_id }) => lead_id))]
}
