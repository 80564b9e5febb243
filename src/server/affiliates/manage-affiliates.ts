import { randomUUIDv7 } from 'node:crypto'
import { type Kysely, PostgresAdapter, sql, type Transaction } from 'kysely'
import {
  type Affiliate,
  type AffiliateDetails,
  type AffiliateErrors,
  type AffiliateField,
  type AffiliateFormValues,
  affiliateFields,
  findAffiliateConflicts,
  parseAffiliateForm,
  postbackWithoutMacro,
  toAffiliateFormValues,
} from '#domain/affiliate/affiliate.ts'
import { describeLimits } from '#domain/delivery/cap.ts'
import { removeCaps } from '#server/delivery/manage-caps.ts'
import {
  authorize,
  makeAuthorizedTransaction,
  type OperatorContext,
} from '#server/operators/authorize.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { findPostbackFault, hasMacro, normalizeTemplate } from './postback-template.ts'

export interface SaveOptions {
  /** The affiliate that the form changes. */
  readonly known?: Affiliate | undefined
  /** Whether the operator has confirmed that the postback URL needs no macro. */
  readonly withoutMacro?: boolean | undefined
}

/**
 * Reads and changes affiliates, for the console and the command line.
 * @param allowsLocal whether postback URLs may use http and hosts in private networks, as in demo mode
 */
export function makeAffiliateActions({ db, clock }: OperatorContext, allowsLocal: boolean) {
  const change = makeAuthorizedTransaction({ db, clock }, 'change affiliates')
  /** Lists all affiliates by name. */
  const list = async (actor: Actor): Promise<readonly Affiliate[]> => {
    authorize(actor, 'see affiliates', clock())
    return listAffiliates(db)
  }
  const findPostbackError = (
    { postbackUrl }: AffiliateDetails,
    { known, withoutMacro = false }: SaveOptions,
  ): AffiliateErrors | undefined => {
    if (postbackUrl === null) return undefined
    const postback = findPostbackFault(postbackUrl, allowsLocal)
    if (postback !== undefined) return { postback }
    const isConfirmed = withoutMacro || known?.postbackUrl === postbackUrl
    return isConfirmed || hasMacro(postbackUrl) ? undefined : { postback: postbackWithoutMacro }
  }
  return {
    list,
    /** @param key the affiliate's own id, or one of the affiliate ids in its links */
    find: async (actor: Actor, key: string): Promise<Affiliate | undefined> =>
      (await list(actor)).find(({ id, ids }) => id === key || ids.includes(key)),
    parse: (texts: AffiliateFormValues, options: SaveOptions = {}) => {
      const { details, errors } = parseAffiliateForm(texts)
      return { details, errors: { ...errors, ...findPostbackError(details, options) } }
    },
    /** Adds an affiliate, or changes the affiliate `known`. Saves nothing if another affiliate has its name or ids. */
    save: async (
      actor: Actor,
      given: AffiliateDetails,
      known?: Affiliate,
      withoutMacro?: boolean,
    ): Promise<{ readonly id: string; readonly errors: AffiliateErrors }> => {
      const id = known?.id ?? randomUUIDv7()
      const postbackError = findPostbackError(given, { known, withoutMacro })
      const { postbackUrl } = given
      const details =
        postbackUrl === null || postbackError
          ? given
          : { ...given, postbackUrl: normalizeTemplate(postbackUrl) }
      const action = known ? 'changed an affiliate' : 'added an affiliate'
      const errors = await change(
        actor,
        { action, subject: id, reason: describeChanges(known, details) },
        async (store, at) =>
          postbackError ?? saveAffiliate(store, id, details, known ? undefined : at),
        (found) => (hasNone(found) ? 'saved' : undefined),
      )
      return { id, errors }
    },
    /** Removes an affiliate and its caps, but leaves the affiliate's ids in its leads. */
    remove: async (actor: Actor, { id, name }: Affiliate): Promise<void> => {
      await change(
        actor,
        { action: 'removed an affiliate', subject: id, reason: name },
        (store, now) => removeAffiliate(store, id, now),
        (caps) =>
          caps?.length === 0
            ? 'removed'
            : caps && `removed with caps: ${caps.map(describeLimits).join('; ')}`,
      )
    },
  }
}

const hasNone = (errors: AffiliateErrors): boolean => Object.keys(errors).length === 0

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

/** @param createdAt undefined if the affiliate exists already */
async function saveAffiliate(
  store: Transaction<StoreTables>,
  id: string,
  details: AffiliateDetails,
  createdAt: number | undefined,
): Promise<AffiliateErrors> {
  // The lock keeps two operators from saving the same name or id at once.
  if (store.getExecutor().adapter instanceof PostgresAdapter) {
    await sql`lock table affiliates in exclusive mode`.execute(store)
  }
  const others = (await listAffiliates(store)).filter((other) => other.id !== id)
  const errors = findAffiliateConflicts(details, others)
  if (!hasNone(errors)) return errors
  const { name, notes, ids, payoutCents: payout_cents, postbackUrl: postback_url } = details
  const row = { name, notes, payout_cents, postback_url }
  if (createdAt === undefined) {
    const update = store.updateTable('affiliates').set(row).where('id', '=', id)
    const { numUpdatedRows } = await update.executeTakeFirst()
    if (numUpdatedRows === 0n) return { name: 'Another operator has removed this affiliate.' }
  } else {
    await store
      .insertInto('affiliates')
      .values({ id, created_at: createdAt, ...row })
      .execute()
  }
  await store.deleteFrom('affiliate_ids').where('affiliate_id', '=', id).execute()
  if (ids.length > 0) {
    const rows = ids.map((affid) => ({ affid, affiliate_id: id }))
    await store.insertInto('affiliate_ids').values(rows).execute()
  }
  return {}
}

/** @returns the removed caps; undefined if another operator has removed the affiliate */
async function removeAffiliate(store: Transaction<StoreTables>, id: string, now: number) {
  // The caps are removed last: adding a cap needs a lock on the affiliate's row, which this transaction has deleted.
  const removal = store.deleteFrom('affiliates').where('id', '=', id)
  if ((await removal.executeTakeFirst()).numDeletedRows === 0n) return undefined
  await store.deleteFrom('affiliate_ids').where('affiliate_id', '=', id).execute()
  return removeCaps(store, 'affiliate_id', id, now)
}

/** Lists the changed fields for the audit log, but no postback URL, because the URL may contain a key. */
function describeChanges(known: AffiliateDetails | undefined, details: AffiliateDetails): string {
  const earlier = known && toAffiliateFormValues(known)
  const now = toAffiliateFormValues(details)
  const describe = (field: AffiliateField) =>
    field === 'name' || field === 'payout' ? `${field} ${now[field] || 'none'}` : field
  return affiliateFields
    .filter((field) => now[field] !== (earlier?.[field] ?? ''))
    .map(describe)
    .join(', ')
}
