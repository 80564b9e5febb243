import { randomUUIDv7 } from 'node:crypto'
import { type Kysely, PostgresAdapter, sql, type Transaction } from 'kysely'
import {
  type Affiliate,
  type AffiliateDetails,
  type AffiliateErrors,
  type AffiliateField,
  affiliateFields,
  findConflicts,
  toAffiliateTexts,
} from '#domain/affiliate/affiliate.ts'
import {
  authorize,
  makeAuthorizedChange,
  type OperatorContext,
} from '#server/operators/authorize.ts'
import type { Actor } from '#server/operators/operator.ts'
import { inTransaction } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { findPostbackFault } from './postback-template.ts'

/**
 * Reads and changes affiliates, for the console and the command line.
 * @param allowsLocal whether postbacks may use http and private addresses, as in demo mode
 */
export function makeAffiliates({ db, audit, clock }: OperatorContext, allowsLocal: boolean) {
  const change = makeAuthorizedChange({ audit, clock }, 'change affiliates')
  /** Lists all affiliates by name. */
  const list = async (actor: Actor): Promise<readonly Affiliate[]> => {
    authorize(actor, 'see affiliates', clock())
    return listAffiliates(db)
  }
  return {
    list,
    /** @param key the affiliate's own id, or an id in its links */
    find: async (actor: Actor, key: string): Promise<Affiliate | undefined> =>
      (await list(actor)).find(({ id, ids }) => id === key || ids.includes(key)),
    /**
     * Adds or changes an affiliate. Nothing is saved if there are errors.
     * @param known the affiliate to change
     */
    save: async (
      actor: Actor,
      details: AffiliateDetails,
      known?: Affiliate,
    ): Promise<{ readonly id: string; readonly errors: AffiliateErrors }> => {
      const id = known?.id ?? randomUUIDv7()
      const action = known ? 'changed an affiliate' : 'added an affiliate'
      const errors = await change(
        actor,
        { action, subject: id, reason: describeChanges(known, details) },
        async (at) => {
          const { postbackUrl } = details
          const fault = postbackUrl && findPostbackFault(postbackUrl, allowsLocal)
          if (fault) return { postback: fault }
          const affiliate = { createdAt: at, ...known, ...details, id }
          return inTransaction(db, (store) => saveAffiliate(store, affiliate))
        },
        (found) => (hasNone(found) ? 'saved' : `refused: ${describeErrors(found)}`),
      )
      return { id, errors }
    },
    /** Removes an affiliate without caps. Leads keep their affiliate ids. */
    remove: (actor: Actor, { id, name }: Affiliate): Promise<void> =>
      change(actor, { action: 'removed an affiliate', subject: id, reason: name }, () =>
        inTransaction(db, async (store) => {
          await store.deleteFrom('affiliate_ids').where('affiliate_id', '=', id).execute()
          await store.deleteFrom('affiliates').where('id', '=', id).execute()
        }),
      ),
  }
}

export type Affiliates = ReturnType<typeof makeAffiliates>

const hasNone = (errors: AffiliateErrors): boolean => Object.keys(errors).length === 0

/** Leaves out the ids, because an id may be a person's email address, and the audit log is permanent. */
const describeErrors = ({ ids, ...errors }: AffiliateErrors): string =>
  [...Object.values(errors), ...(ids ? ['An id belongs to another affiliate.'] : [])].join(' ')

async function listAffiliates(db: Kysely<StoreTables>): Promise<readonly Affiliate[]> {
  const rows = await db
    .selectFrom('affiliates')
    .select(['id', 'name', 'notes', 'payout_cents as payoutCents', 'postback_url as postbackUrl'])
    .select('created_at as createdAt')
    .execute()
  const ids = await db.selectFrom('affiliate_ids').selectAll().orderBy('affid').execute()
  const idsOf = Map.groupBy(ids, ({ affiliate_id }) => affiliate_id)
  return rows
    .map((row) => ({ ...row, ids: (idsOf.get(row.id) ?? []).map(({ affid }) => affid) }))
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en-US'))
}

async function saveAffiliate(
  store: Transaction<StoreTables>,
  { id, ids, ...affiliate }: Affiliate,
): Promise<AffiliateErrors> {
  // Two operators must not save the same name or id at once.
  if (store.getExecutor().adapter instanceof PostgresAdapter) {
    await sql`lock table affiliates in exclusive mode`.execute(store)
  }
  const others = (await listAffiliates(store)).filter((other) => other.id !== id)
  const errors = findConflicts({ ids, ...affiliate }, others)
  if (!hasNone(errors)) return errors
  const row = {
    ...{ id, name: affiliate.name, notes: affiliate.notes, created_at: affiliate.createdAt },
    ...{ payout_cents: affiliate.payoutCents, postback_url: affiliate.postbackUrl },
  }
  await store
    .insertInto('affiliates')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
  await store.deleteFrom('affiliate_ids').where('affiliate_id', '=', id).execute()
  if (ids.length > 0) {
    const rows = ids.map((affid) => ({ affid, affiliate_id: id }))
    await store.insertInto('affiliate_ids').values(rows).execute()
  }
  return {}
}

/** Describes the changed fields for the audit log. The postback URL may contain a key. */
function describeChanges(known: AffiliateDetails | undefined, details: AffiliateDetails): string {
  const earlier = known && toAffiliateTexts(known)
  const now = toAffiliateTexts(details)
  const describe = (field: AffiliateField) =>
    field === 'name' || field === 'payout' ? `${field} ${now[field] || 'none'}` : field
  return affiliateFields
    .filter((field) => now[field] !== (earlier?.[field] ?? ''))
    .map(describe)
    .join(', ')
}
