import type { Kysely, Transaction } from 'kysely'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { createDeliveryUnlessDuplicate, dedupeKeyOfRow, keyColumns } from '../dedupe-keys.ts'
import type { LeadCount, LeadPlace } from '../find-leads.ts'
import type { LeadQuarantine, ReleaseOutcome } from '../release-leads.ts'

export function makeLeadQuarantine({ db }: Pick<LeadDatabase, 'db'>): LeadQuarantine {
  return {
    release: (id, now) =>
      retryConflicts(() => db.transaction().execute((store) => releaseLead(store, id, now))),
    next: (after) => retryConflicts(() => findNext(db, after)),
    count: (after) => retryConflicts(() => countWaiting(db, after)),
  }
}

const mostCounted = 10_000

/** Nobody has decided yet to let it out. */
const undecided = (db: Kysely<StoreTables>, after: LeadPlace | undefined) =>
  db
    .selectFrom('leads')
    .where('quarantined_at', 'is not', null)
    .where('released_at', 'is', null)
    .where('erased_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('held_releases').select('lead_id').whereRef('lead_id', '=', 'leads.id')),
      ),
    )
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('received_at', 'id'), '>', tuple(after?.receivedAt ?? 0, after?.id ?? '')),
      ),
    )

const findNext = (db: Kysely<StoreTables>, after: LeadPlace | undefined) =>
  undecided(db, after)
    .select(['id', 'received_at as receivedAt'])
    .orderBy('received_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

async function countWaiting(
  db: Kysely<StoreTables>,
  after: LeadPlace | undefined,
): Promise<LeadCount> {
  const { n } = await db
    .selectFrom(
      undecided(db, after)
        .select('id')
        .limit(mostCounted + 1)
        .as('some'),
    )
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return { leads: Math.min(n, mostCounted), isAll: n <= mostCounted }
}

/** In the caller's transaction. The update locks the lead: of two who release it at once, one finds nothing to release. */
export async function releaseLead(
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

export async function whyNot(
  store: Transaction<StoreTables>,
  id: string,
): Promise<Exclude<ReleaseOutcome, { readonly kind: 'due' | 'duplicate' }>> {
  const lead = await store
    .selectFrom('leads')
    .select('erased_at')
    .where('id', '=', id)
    .executeTakeFirst()
  if (lead === undefined) return { kind: 'unknown' }
  return { kind: lead.erased_at === null ? 'not quarantined' : 'erased' }
}
