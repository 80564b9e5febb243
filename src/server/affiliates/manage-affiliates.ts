import { randomUUIDv7 } from 'node:crypto'
import { type Kysely, PostgresAdapter, sql, type Transaction } from 'kysely'
import {
  type Affiliate,
  type AffiliateDetails,
  type AffiliateErrors,
  type AffiliateFormValues,
  type AffiliateRemoval,
  findAffiliateConflicts,
  parseAffiliateForm,
  toAffiliateFormValues,
} from '#domain/affiliate/affiliate.ts'
import { describeLimits } from '#domain/delivery/cap.ts'
import { maskCampaign } from '#domain/lead/mask-lead.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import type { ZonedTime } from '#server/delivery/cap-check.ts'
import { parseCapRow, previewRelease } from '#server/delivery/cap-holds.ts'
import { describeCap, recountCapsOf, removeCaps } from '#server/delivery/manage-caps.ts'
import type { KeepChange } from '#server/operators/audit.ts'
import {
  authorize,
  makeAuthorizedChange,
  type OperatorContext,
} from '#server/operators/authorize.ts'
import type { Actor } from '#server/operators/operator.ts'
import { countRows } from '#server/platform/database/count-rows.ts'
import { runInTransaction } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { findPostbackFault } from './postback-template.ts'

interface AffiliateSettings {
  /** Whether postback URLs may use http and hosts in private networks, as in demo mode. */
  readonly allowsLocal: boolean
  /** The school's time zone, in which the caps of affiliates count. */
  readonly zone: string
}

/** Reads and changes affiliates, for the console and the command line. */
export function makeAffiliateActions(
  { db, audit, clock }: OperatorContext,
  { allowsLocal, zone }: AffiliateSettings,
) {
  const change = makeAuthorizedChange({ audit, clock }, 'change affiliates')
  /** Lists all affiliates by name. */
  const list = async (actor: Actor): Promise<readonly Affiliate[]> => {
    authorize(actor, 'see affiliates', clock())
    return listAffiliates(db)
  }
  const findPostbackError = ({ postbackUrl }: AffiliateDetails): AffiliateErrors | undefined => {
    const postback = postbackUrl && findPostbackFault(postbackUrl, allowsLocal)
    return postback ? { postback } : undefined
  }
  return {
    list,
    /** @param key the affiliate's own id, or one of the affiliate ids in its links */
    find: async (actor: Actor, key: string): Promise<Affiliate | undefined> =>
      (await list(actor)).find(({ id, ids }) => id === key || ids.includes(key)),
    /** Parses a form. Leaves a wrong postback URL to `save`, so that the audit log records the refusal. */
    parse: (texts: AffiliateFormValues) => {
      const { details, errors } = parseAffiliateForm(texts)
      return {
        details,
        errors: hasNone(errors) ? {} : { ...errors, ...findPostbackError(details) },
      }
    },
    /** Adds an affiliate, or changes the affiliate `known`. Saves nothing if the details have errors. */
    save: async (
      actor: Actor,
      details: AffiliateDetails,
      known?: Affiliate,
    ): Promise<{ readonly id: string; readonly errors: AffiliateErrors }> => {
      const id = known?.id ?? randomUUIDv7()
      const action = known ? 'changed an affiliate' : 'added an affiliate'
      const errors = await change(
        actor,
        { action, subject: id },
        async (now, keep) => {
          const errors =
            findPostbackError(details) ??
            (await runInTransaction(db, (store) =>
              saveAffiliate(
                store,
                { id, isNew: known === undefined, details, keep },
                { now, zone },
              ),
            ))
          if (!hasNone(errors)) await keep({ target: known?.name ?? details.name })
          return errors
        },
        (found) => (hasNone(found) ? 'saved' : `refused: ${describeErrors(found)}`),
      )
      return { id, errors }
    },
    /** Counts what a removal of the affiliate would delete or send. */
    previewRemoval: async (actor: Actor, { id }: Affiliate): Promise<AffiliateRemoval> => {
      authorize(actor, 'change affiliates', clock())
      const caps = (
        await db.selectFrom('caps').selectAll().where('affiliate_id', '=', id).execute()
      ).map(parseCapRow)
      const postbacks = db.selectFrom('notifications').where('kind', '=', 'postback')
      return {
        caps: caps.map((cap) => describeLimits(cap)),
        waitingPostbacks: await countRows(
          postbacks.where('destination', '=', id).where('settled_at', 'is', null),
        ),
        ...(await previewRelease(
          db,
          caps.map((cap) => cap.id),
          { now: clock(), zone },
        )),
      }
    },
    /**
     * Removes an affiliate and its caps, but leaves the affiliate's ids in its leads. The leads that the caps hold become
     * due. @returns the number of these leads
     */
    remove: (actor: Actor, { id }: Pick<Affiliate, 'id'>): Promise<number> =>
      change(
        actor,
        { action: 'removed an affiliate', subject: id },
        (now, keep) => runInTransaction(db, (store) => removeAffiliate(store, id, { now, keep })),
        (due) => `removed; ${pluralize(due, 'held lead')} due`,
      ),
  }
}

const hasNone = (errors: AffiliateErrors): boolean => Object.keys(errors).length === 0

/** Describes errors for the audit log, which is never erased, without affiliate ids, which may be email addresses. */
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

interface SavedAffiliate {
  readonly id: string
  readonly isNew: boolean
  readonly details: AffiliateDetails
  readonly keep: KeepChange
}

async function saveAffiliate(
  store: Transaction<StoreTables>,
  { id, isNew, details, keep }: SavedAffiliate,
  moment: ZonedTime,
): Promise<AffiliateErrors> {
  // The lock keeps two operators from saving the same name or id at once.
  if (store.getExecutor().adapter instanceof PostgresAdapter) {
    await sql`lock table affiliates in exclusive mode`.execute(store)
  }
  const all = await listAffiliates(store)
  const before = all.find((one) => one.id === id)
  const errors = findAffiliateConflicts(
    details,
    all.filter((other) => other !== before),
  )
  if (!hasNone(errors)) return errors
  if (before === undefined && !isNew)
    return { name: 'Another operator has removed this affiliate.' }
  const { name, notes, ids, payoutCents: payout_cents, postbackUrl: postback_url } = details
  const row = { name, notes, payout_cents, postback_url }
  await (before === undefined
    ? store.insertInto('affiliates').values({ id, created_at: moment.now, ...row })
    : store.updateTable('affiliates').set(row).where('id', '=', id)
  ).execute()
  await keep(
    {
      target: name,
      after: toAuditedValues(details),
      ...(before && { before: toAuditedValues(before) }),
    },
    store,
  )
  if (before?.ids.toSorted().join('\n') === ids.toSorted().join('\n')) return {}
  await store.deleteFrom('affiliate_ids').where('affiliate_id', '=', id).execute()
  if (ids.length > 0) {
    const rows = ids.map((affid) => ({ affid, affiliate_id: id }))
    await store.insertInto('affiliate_ids').values(rows).execute()
  }
  await recountCapsOf(store, id, moment)
  return {}
}

async function removeAffiliate(
  store: Transaction<StoreTables>,
  id: string,
  { now, keep }: { readonly now: number; readonly keep: KeepChange },
): Promise<number> {
  const removed = (await listAffiliates(store)).find((one) => one.id === id)
  // The caps are removed last: adding a cap needs a lock on the affiliate's row, which this transaction has deleted.
  await store.deleteFrom('affiliates').where('id', '=', id).execute()
  await store.deleteFrom('affiliate_ids').where('affiliate_id', '=', id).execute()
  const { caps, due } = await removeCaps(store, 'affiliate_id', id, now)
  const before = removed && {
    ...toAuditedValues(removed),
    ...Object.fromEntries(
      caps.map((cap, index) => [
        `cap ${index + 1}`,
        describeCap({ ...cap, affiliate: removed.name }),
      ]),
    ),
  }
  await keep({ target: removed?.name, ...(before && { before }) }, store)
  return due
}

/** Returns an affiliate's values for the audit log, without email addresses in ids: nobody can erase them there. */
const toAuditedValues = (details: AffiliateDetails): AffiliateFormValues =>
  toAffiliateFormValues({ ...details, ids: details.ids.map(maskCampaign) })
