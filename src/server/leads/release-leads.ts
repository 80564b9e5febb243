import type { Transaction } from 'kysely'
import { isStillAllowed } from '#server/operators/accounts.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { inTransaction, retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { createDeliveryUnlessDuplicate, dedupeKeyOfRow, keyColumns } from './dedupe-keys.ts'

type Store = Transaction<StoreTables>

type NotReleased =
  | { readonly kind: 'not quarantined' }
  /** The lead's data is gone, so it cannot be sent. */
  | { readonly kind: 'erased' }
  | { readonly kind: 'unknown' }

export type ReleaseOutcome =
  | { readonly kind: 'due' }
  /** The person has made another enquiry for the same program, which counts (reading 18). */
  | { readonly kind: 'duplicate'; readonly of: string }
  | NotReleased

export const describeRelease = ({ kind }: ReleaseOutcome): string =>
  kind === 'due' || kind === 'duplicate' ? kind : `not done: ${kind}`

/** Releases a lead in the caller's transaction. The update locks the lead, so only one operator releases it. */
export async function releaseLead(store: Store, id: string, now: number): Promise<ReleaseOutcome> {
  const released = await store
    .updateTable('leads')
    .set({ released_at: now })
    .where('id', '=', id)
    .where('quarantined_at', 'is not', null)
    .where('released_at', 'is', null)
    .where('erased_at', 'is', null)
    .returning(['received_at', ...keyColumns])
    .executeTakeFirst()
  if (released === undefined) return whyNotReleased(store, id)
  const receivedAt = released.received_at
  const dedupeKey = dedupeKeyOfRow(released)
  const of = await createDeliveryUnlessDuplicate(store, { id, receivedAt, dedupeKey })
  return of === null ? { kind: 'due' } : { kind: 'duplicate', of }
}

async function whyNotReleased(store: Store, id: string): Promise<NotReleased> {
  const lead = await store
    .selectFrom('leads')
    .select('erased_at')
    .where('id', '=', id)
    .executeTakeFirst()
  if (lead === undefined) return { kind: 'unknown' }
  return { kind: lead.erased_at === null ? 'not quarantined' : 'erased' }
}

/** How long a release on the console can be undone, in milliseconds. */
export const undoWindowMs = 30_000

/** A scheduled release: the lead stays in quarantine and is not sent until `dueAt`. */
export interface HeldRelease {
  readonly leadId: string
  /** Epoch milliseconds. */
  readonly dueAt: number
  readonly operatorId: string
  /** The id of the audit entry that gets the outcome. */
  readonly auditId: string
}

export type HoldOutcome =
  | { readonly kind: 'held' }
  | { readonly kind: 'held already' }
  | NotReleased

/** The most releases per call. Each release has its own transaction, so an enquiry waits for one release at most. */
const maxAtOnce = 64

/** Releases that an operator can undo for a while. The store keeps each release, so that any process can carry it out. */
export function makeHeldReleases({ db }: Pick<LeadDatabase, 'db'>) {
  return {
    hold: (held: HeldRelease) => inTransaction(db, (store) => holdRelease(store, held)),
    /** @returns false if the release is no longer held */
    postpone: (leadId: string, dueAt: number): Promise<boolean> =>
      retryConflicts(async () => {
        const { numUpdatedRows } = await db
          .updateTable('held_releases')
          .set({ due_at: dueAt })
          .where('lead_id', '=', leadId)
          .executeTakeFirst()
        return numUpdatedRows > 0n
      }),
    /**
     * Cancels a release and writes the outcome to the audit log. @returns false if the release was already undone or
     * carried out
     */
    undo: (leadId: string, outcome: string): Promise<boolean> =>
      inTransaction(db, async (store) => {
        const row = await store
          .deleteFrom('held_releases')
          .where('lead_id', '=', leadId)
          .returning('audit_id')
          .executeTakeFirst()
        if (row !== undefined) await recordOutcome(store, row.audit_id, outcome)
        return row !== undefined
      }),
    /** The scheduled releases, ordered by due time, at most `take`. */
    list: (take: number): Promise<readonly HeldRelease[]> =>
      retryConflicts(() =>
        db
          .selectFrom('held_releases')
          .select(['lead_id as leadId', 'due_at as dueAt'])
          .select(['operator_id as operatorId', 'audit_id as auditId'])
          .orderBy('due_at')
          .orderBy('lead_id')
          .limit(take)
          .execute(),
      ),
    /**
     * Carries out the due releases, each once even if several processes try, and writes the outcomes to the audit log.
     * If the operator has lost the permission to release leads, their release is not carried out.
     * @returns the number of due releases handled
     */
    releaseDue: async (now: number): Promise<number> => {
      const due = await retryConflicts(() =>
        db
          .selectFrom('held_releases')
          .select('lead_id')
          .where('due_at', '<=', now)
          // The order in which operators released the leads: if one person has several leads, the first released counts.
          .orderBy('due_at')
          .orderBy('lead_id')
          .limit(maxAtOnce)
          .execute(),
      )
      for (const { lead_id } of due)
        await inTransaction(db, (store) => releaseHeld(store, lead_id, now))
      return due.length
    },
  }
}

export type HeldReleases = ReturnType<typeof makeHeldReleases>

async function holdRelease(store: Store, held: HeldRelease): Promise<HoldOutcome> {
  const { leadId, dueAt, operatorId, auditId } = held
  const quarantinedLead = await store
    .selectFrom('leads')
    .select('id')
    .where('id', '=', leadId)
    .where('quarantined_at', 'is not', null)
    .where('released_at', 'is', null)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
  if (quarantinedLead === undefined) return whyNotReleased(store, leadId)
  const { numInsertedOrUpdatedRows } = await store
    .insertInto('held_releases')
    .values({ lead_id: leadId, due_at: dueAt, operator_id: operatorId, audit_id: auditId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return { kind: numInsertedOrUpdatedRows === 0n ? 'held already' : 'held' }
}

/** The process that deletes the row releases the lead; a second process finds no row. */
async function releaseHeld(store: Store, leadId: string, now: number): Promise<void> {
  const row = await store
    .deleteFrom('held_releases')
    .where('lead_id', '=', leadId)
    .where('due_at', '<=', now)
    .returning(['audit_id', 'operator_id'])
    .executeTakeFirst()
  if (row === undefined) return
  const outcome = (await isStillAllowed(store, row.operator_id, 'release leads'))
    ? describeRelease(await releaseLead(store, leadId, now))
    : 'not done: the operator may not release leads any more'
  await recordOutcome(store, row.audit_id, outcome)
}

async function recordOutcome(store: Store, audit_id: string, outcome: string): Promise<void> {
  await store.insertInto('audit_outcomes').values({ audit_id, outcome }).execute()
}
