import { createHash, randomUUIDv7 } from 'node:crypto'
import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { LeadArrival } from '#server/enquiries/accept-enquiry.ts'
import { payloadOf } from '#server/leads/store/lead-payload.ts'
import { migrations } from '#server/platform/database/migrations/migrate-store.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { StoreSettings } from '#server/start/open-store.ts'
import { withDatabase } from './with-database.ts'

/** The store as the version before corrections were kept has left it, and what a process of that version does to it. */
export const versionBefore = {
  migrate: (settings: StoreSettings) =>
    withDatabase(settings, async (db) => {
      const earlier = Object.entries(migrations).filter(([name]) => name < '0007')
      const provider = { getMigrations: async () => Object.fromEntries(earlier) }
      const { error } = await new Migrator({ db, provider }).migrateToLatest()
      if (error !== undefined) throw error
    }),
  /** Nothing is stored of a key that it knows. */
  accept: (settings: StoreSettings, arrival: LeadArrival) =>
    withDatabase(settings, (db) => db.transaction().execute((store) => accept(store, arrival))),
  /** The first was rejected, and has kept its key; the others were stored as its duplicates. */
  reject: (settings: StoreSettings, first: LeadArrival, repeats: readonly LeadArrival[]) =>
    withDatabase(settings, async (db) => {
      const { id, receivedAt } = first.lead
      for (const { lead } of repeats) {
        await db.deleteFrom('deliveries').where('lead_id', '=', lead.id).execute()
        await db.updateTable('leads').set({ duplicate_of: id }).where('id', '=', lead.id).execute()
      }
      const settled = { settled_as: 'rejected', settled_at: receivedAt } as const
      await db.updateTable('deliveries').set(settled).where('lead_id', '=', id).execute()
    }),
}

async function accept(
  store: Kysely<StoreTables>,
  { lead, idempotencyKey, isQuarantined }: LeadArrival,
): Promise<void> {
  const { id, receivedAt, area, email, phone, program, consent } = lead
  const same_enquiry_hash = createHash('sha256')
    .update([email.trim().toLowerCase(), phone, program.id].join('\n'))
    .digest('hex')
  const inserted = await store
    .insertInto('leads')
    .values({
      id,
      idempotency_key: idempotencyKey,
      same_enquiry_hash,
      received_at: receivedAt,
      area,
      email,
      payload: payloadOf(lead),
      quarantined_at: isQuarantined ? receivedAt : null,
    })
    .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted === undefined) return
  const { textHash: hash, text, at: agreed_at, ip, userAgent, pageUrl } = consent
  await store
    .insertInto('disclosures')
    .values({ hash, text })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await store
    .insertInto('consents')
    .values({
      lead_id: id,
      disclosure_hash: hash,
      agreed_at,
      ip,
      user_agent: userAgent,
      page_url: pageUrl,
    })
    .execute()
  if (isQuarantined) return
  await store
    .insertInto('enquirers')
    .values({ same_enquiry_hash, lead_id: id, received_at: receivedAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await store
    .insertInto('deliveries')
    .values({ id: randomUUIDv7(), lead_id: id, created_at: receivedAt, next_at: receivedAt })
    .execute()
}
