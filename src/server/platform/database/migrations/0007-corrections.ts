import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { duplicateWindowMs } from '#domain/lead/duplicate.ts'
import { dedupeKeyOfRow } from '#server/leads/dedupe-keys/dedupe-key-of-row.ts'
import type { StoreTables } from '../tables/store-tables.ts'

/** Which lead another one corrects (reading 23), and dedupe keys that have the person's name in them. */
export const corrections: Migration = {
  async up(db: Kysely<StoreTables>) {
    // Checked at the commit: of two leads each may refer to the other, so that no order of copying them is right.
    await sql`
      alter table leads add column corrects text
      references leads (id) on delete set null deferrable initially deferred`.execute(db)
    await db.schema
      .createIndex('leads_corrections')
      .on('leads')
      .column('corrects')
      .where(sql.ref('corrects'), 'is not', null)
      .execute()
    await addNamedKeys(db, Date.now())
  },
}

/** PostgreSQL takes 65,535 parameters a statement. */
const batchSize = 1000

/**
 * Whoever enquired before the upgrade and does so again after it has asked twice. What the last 24 hours have claimed
 * is claimed by the new keys as well; the old ones stay for processes of the version before.
 */
async function addNamedKeys(db: Kysely<StoreTables>, now: number): Promise<void> {
  const holders = await db
    .selectFrom('enquirers')
    .innerJoin('leads', 'leads.id', 'enquirers.lead_id')
    .select(['lead_id', 'enquirers.received_at', 'enquirers.same_enquiry_hash', 'email', 'payload'])
    .where('enquirers.received_at', '>', now - duplicateWindowMs)
    .where('erased_at', 'is', null)
    .execute()
  const keys = holders.map(({ lead_id, received_at, ...row }) => ({
    same_enquiry_hash: dedupeKeyOfRow(row),
    lead_id,
    received_at,
  }))
  for (let begin = 0; begin < keys.length; begin += batchSize) {
    await db
      .insertInto('enquirers')
      .values(keys.slice(begin, begin + batchSize))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}
