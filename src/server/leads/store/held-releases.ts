import type { Kysely, Transaction } from 'kysely'
import { findRole, mayStill } from '#server/operators/accounts.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { HeldRelease, HeldReleases, HoldOutcome } from '../quarantine/held-releases.ts'
import type { ReleaseOutcome } from '../release-leads.ts'
import { releaseLead, whyNot } from './lead-quarantine.ts'

type Store = Transaction<StoreTables>

/** A transaction each: an enquiry that comes meanwhile waits for one of them at most. */
const mostAtOnce = 64

export function makeHeldReleases({ db }: Pick<LeadDatabase, 'db'>): HeldReleases {
  const inTransaction = <Result>(act: (store: Store) => Promise<Result>): Promise<Result> =>
    retryConflicts(() => db.transaction().execute(act))
  return {
    hold: (held) => inTransaction((store) => holdRelease(store, held)),
    postpone: (leadId, dueAt) =>
      retryConflicts(async () => {
        const { numUpdatedRows } = await db
          .updateTable('held_releases')
          .set({ due_at: dueAt })
          .where('lead_id', '=', leadId)
          .executeTakeFirst()
        return numUpdatedRows > 0n
      }),
    undo: (leadId, outcome) =>
      inTransaction(async (store) => {
        const [row] = await store
          .deleteFrom('held_releases')
          .where('lead_id', '=', leadId)
          .returning('audit_id')
          .execute()
        if (row !== undefined) await recordOutcome(store, row.audit_id, outcome)
        return row !== undefined
      }),
    list: (take) =>
      retryConflicts(async () => {
        const rows = await db
          .selectFrom('held_releases')
          .selectAll()
          .orderBy('due_at')
          .orderBy('lead_id')
          .limit(take)
          .execute()
        return rows.map(toHeld)
      }),
    releaseDue: async (now, inWords) => {
      const due = await retryConflicts(() => findDue(db, now))
      for (const id of due) await inTransaction((store) => releaseOne(store, { id, now, inWords }))
      return due.length
    },
  }
}

const toHeld = (row: StoreTables['held_releases']): HeldRelease => ({
  leadId: row.lead_id,
  dueAt: row.due_at,
  operatorId: row.operator_id,
  auditId: row.audit_id,
})

async function holdRelease(store: Store, held: HeldRelease): Promise<HoldOutcome> {
  const waits = await store
    .selectFrom('leads')
    .select('id')
    .where('id', '=', held.leadId)
    .where('quarantined_at', 'is not', null)
    .where('released_at', 'is', null)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
  if (waits === undefined) return whyNot(store, held.leadId)
  const { numInsertedOrUpdatedRows } = await store
    .insertInto('held_releases')
    .values({
      lead_id: held.leadId,
      due_at: held.dueAt,
      operator_id: held.operatorId,
      audit_id: held.auditId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return { kind: numInsertedOrUpdatedRows === 0n ? 'held already' : 'held' }
}

async function findDue(db: Kysely<StoreTables>, now: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('held_releases')
    .select('lead_id')
    .where('due_at', '<=', now)
    // In the order in which they were wanted: of a person's several the first counts.
    .orderBy('due_at')
    .orderBy('lead_id')
    .limit(mostAtOnce)
    .execute()
  return rows.map(({ lead_id }) => lead_id)
}

interface Due {
  readonly id: string
  readonly now: number
  readonly inWords: (outcome: ReleaseOutcome) => string
}

/** The process that deletes the row releases the lead: of two processes one finds no row. */
async function releaseOne(store: Store, { id, now, inWords }: Due): Promise<void> {
  const [row] = await store
    .deleteFrom('held_releases')
    .where('lead_id', '=', id)
    .where('due_at', '<=', now)
    .returning(['audit_id', 'operator_id'])
    .execute()
  if (row === undefined) return
  if (!mayStill(await findRole(store, row.operator_id), 'release leads')) {
    return recordOutcome(
      store,
      row.audit_id,
      'not done: the operator may not release leads any more',
    )
  }
  const outcome = await releaseLead(store, id, now)
  await recordOutcome(store, row.audit_id, inWords(outcome))
}

async function recordOutcome(store: Store, audit_id: string, outcome: string): Promise<void> {
  await store.insertInto('audit_outcomes').values({ audit_id, outcome }).execute()
}
