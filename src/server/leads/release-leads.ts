import { sql, type Transaction } from 'kysely'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { createDeliveryUnlessDuplicate, transferDedupeKeys } from './dedupe-keys.ts'

type StoreTransaction = Transaction<StoreTables>

type NotReleased =
  /** The person is on the list of people not to contact, and the operator hasn't said to send the lead nevertheless. */
  | { readonly kind: 'asked not to be contacted' }
  | { readonly kind: 'not quarantined' }
  /** The lead is erased, so it cannot be sent. */
  | { readonly kind: 'erased' }
  | { readonly kind: 'unknown' }

export type ReleaseOutcome =
  | { readonly kind: 'due' }
  /** The person has made another enquiry for the same program; the other enquiry is sent instead (reading 18). */
  | { readonly kind: 'duplicate'; readonly of: string }
  | NotReleased

export interface ReleaseOptions {
  /** When to send the lead, in epoch milliseconds; at once by default. */
  readonly dueAt?: number | undefined
  /** When the person whose listing the release overrides was listed; see `findListedAt`. */
  readonly despite?: number | undefined
}

/** Releases a quarantined lead in the caller's transaction. The update locks the lead, so only one operator releases it. */
export async function releaseLead(
  tx: StoreTransaction,
  id: string,
  now: number,
  { dueAt, despite }: ReleaseOptions = {},
): Promise<ReleaseOutcome> {
  const released = await tx
    .updateTable('leads')
    .set({ released_at: now, released_despite: despite ?? null })
    .where('id', '=', id)
    .where('quarantined_at', 'is not', null)
    .where('released_at', 'is', null)
    .where('erased_at', 'is', null)
    .returning(['id', 'received_at', 'same_enquiry_hash'])
    .executeTakeFirst()
  if (released === undefined) return findReleaseRefusal(tx, id)
  const of = await createDeliveryUnlessDuplicate(tx, released, dueAt)
  return of === null ? { kind: 'due' } : { kind: 'duplicate', of }
}

async function findReleaseRefusal(tx: StoreTransaction, id: string): Promise<NotReleased> {
  const lead = await tx
    .selectFrom('leads')
    .select('erased_at')
    .where('id', '=', id)
    .executeTakeFirst()
  if (lead === undefined) return { kind: 'unknown' }
  return { kind: lead.erased_at === null ? 'not quarantined' : 'erased' }
}

/** How long a release on the Quarantine page can be undone, in milliseconds: long enough for slow readers, too. */
export const releaseUndoWindowMs = 120_000

/**
 * Puts a released lead back into quarantine, in the caller's transaction. If the person has enquired again since the
 * release, the newer enquiry is sent instead.
 * @returns false if a worker has claimed the lead's delivery, or the lead was not released
 */
export async function undoRelease(tx: StoreTransaction, leadId: string): Promise<boolean> {
  await tx
    .deleteFrom('deliveries')
    .where('lead_id', '=', leadId)
    .where(isUnsentAfterRelease)
    .execute()
  const { numUpdatedRows } = await tx
    .updateTable('leads')
    .set({ released_at: null, released_despite: null, duplicate_of: null })
    .where('id', '=', leadId)
    .where('released_at', 'is not', null)
    .where('erased_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('deliveries').select('id').whereRef('lead_id', '=', 'leads.id'))),
    )
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  await transferDedupeKeys(tx, [leadId])
  return true
}

const isUnsentAfterRelease = sql<boolean>`attempts = 0 and settled_at is null and leased_until is null
  and lead_id in (select id from leads where released_at is not null)`
