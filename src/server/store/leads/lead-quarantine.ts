import type { Kysely, Transaction } from 'kysely'
import type { LeadQuarantine, ReleaseOutcome } from '#server/use-cases/leads/release-leads.ts'
import type { LeadDatabase } from '../lead-database.ts'
import { retryConflicts } from '../retry-conflicts.ts'
import type { StoreTables } from '../store-tables.ts'
import { createDeliveryUnlessDuplicate } from './dedupe-keys/create-delivery-unless-duplicate.ts'
import { dedupeKeyOfRow, keyColumns } from './dedupe-keys/dedupe-key-of-row.ts'

export function makeLeadQuarantine({
  db,
  patient,
}: Pick<LeadDatabase, 'db' | 'patient'>): LeadQuarantine {
  return {
    release: (id, now) =>
      retryConflicts(() => db.transaction().execute((store) => releaseLead(store, id, now))),
    waiting: (take) => retryConflicts(() => findWaiting(patient, take)),
  }
}

async function findWaiting(db: Kysely<StoreTables>, take: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('leads')
    .select('id')
    .where('quarantined_at', 'is not', null)
    .where('released_at', 'is', null)
    .where('erased_at', 'is', null)
    .orderBy('received_at')
    .orderBy('id')
    .limit(take)
    .execute()
  return rows.map(({ id }) => id)
}

/** The update locks the lead: of two who release it at once, one finds nothing to release. */
async function releaseLead(
  store: Transaction<StoreTables>,
  id: string,
  now: number,
): Promise<ReleaseOutcome> {
  const released = await store
    .updateTable('leads')
    .set({ released_at: now })
    .where('id', '=', id)
    .where('quarantined_at', 'is not', null)
    .where('released_at', 'is', null)
    .where('erased_at', 'is', null)
    .returning(['received_at', ...keyColumns])
    .executeTakeFirst()
  if (released === undefined) return whyNot(store, id)
  const receivedAt = released.received_at
  const dedupeKey = dedupeKeyOfRow(released)
  const of = await createDeliveryUnlessDuplicate(store, { id, receivedAt, dedupeKey })
  return of === null ? { kind: 'due' } : { kind: 'duplicate', of }
}

async function whyNot(store: Transaction<StoreTables>, id: string): Promise<ReleaseOutcome> {
  const lead = await store
    .selectFrom('leads')
    .select('erased_at')
    .where('id', '=', id)
    .executeTakeFirst()
  if (lead === undefined) return { kind: 'unknown' }
  return { kind: lead.erased_at === null ? 'not quarantined' : 'erased' }
}
