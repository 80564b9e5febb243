import { randomUUIDv7 } from 'node:crypto'
import { type Kysely, PostgresAdapter, sql, type Transaction } from 'kysely'
import {
  type Affiliate,
  type AffiliateChange,
  type AffiliateDetails,
  type AffiliateErrors,
  type AffiliateFormValues,
  type AffiliateRemoval,
  findAffiliateConflicts,
  hasAffiliateId,
  parseAffiliateForm,
  toAffiliateFormValues,
} from '#domain/affiliate/affiliate.ts'
import { toDay } from '#domain/calendar.ts'
import { describeLimits } from '#domain/delivery/cap.ts'
import { maskCampaign } from '#domain/lead/mask-lead.ts'
import {
  beginning,
  findDatedValue,
  formatFromDay,
  noAmountFault,
} from '#domain/money/dated-value.ts'
import { pluralize } from '#domain/text/formats.ts'
import type { ZonedTime } from '#server/delivery/cap-check.ts'
import { countHeld, parseCapRow, selectCaps } from '#server/delivery/cap-holds.ts'
import { describeCap, recountCapsOf, removeCaps } from '#server/delivery/manage-caps.ts'
import { listDatedValues, setDatedValue } from '#server/money/dated-values.ts'
import { type KeepChange, runAuditedTransaction } from '#server/operators/audit.ts'
import { authorize } from '#server/operators/authorize.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { OperatorContext } from '#server/operators/operator-context.ts'
import { countRows } from '#server/platform/database/rows.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { findPostbackFault, normalizeTemplate } from './postback-template.ts'

interface AffiliateSettings {
  /** Whether postback URLs may use http and hosts in private networks, as in demo mode. */
  readonly allowsLocal: boolean
  readonly zone: string
}

/** Reads and changes affiliates, for the console and the command line. */
export function makeAffiliateActions(
  { db, clock }: OperatorContext,
  { allowsLocal, zone }: AffiliateSettings,
) {
  const permission = 'change affiliates'
  const list = async (actor: Actor): Promise<readonly Affiliate[]> => {
    authorize(actor, 'see affiliates', clock())
    return listAffiliates(db, clock())
  }
  const findPostbackError = (
    { postbackUrl }: AffiliateDetails,
    known: Affiliate | undefined,
  ): AffiliateErrors | undefined => {
    if (postbackUrl === null || known?.postbackUrl === postbackUrl) return undefined
    const postback = findPostbackFault(postbackUrl, allowsLocal)
    return postback === undefined ? undefined : { postback }
  }
  /**
   * Adds an affiliate, or changes the affiliate `known`. Saves nothing if another affiliate has its name or ids. A changed
   * payout counts from today, a first one from the beginning.
   */
  const save = async (
    actor: Actor,
    { postbackUrl, ...given }: AffiliateDetails,
    known?: Affiliate,
  ): Promise<{ readonly id: string; readonly errors: AffiliateErrors }> => {
    const id = known?.id ?? randomUUIDv7()
    const details = { ...given, postbackUrl: postbackUrl && normalizeTemplate(postbackUrl) }
    const action = known ? 'changed an affiliate' : 'added an affiliate'
    const errors = await runAuditedTransaction(
      { db, clock },
      { actor, permission, action, subject: id },
      (tx, now, keep) =>
        saveAffiliate(tx, { id, isNew: known === undefined, details, keep }, { actor, now, zone }),
      (found) => (hasNone(found) ? 'saved' : undefined),
    )
    return { id, errors }
  }
  return {
    list,
    /** @param key the affiliate's own id, or one of the affiliate ids in its links */
    find: async (actor: Actor, key: string): Promise<Affiliate | undefined> =>
      (await list(actor)).find((one) => one.id === key || hasAffiliateId(one, key)),
    save,
    /** Checks the texts of the affiliate form, and saves them if none has an error. */
    saveForm: async (actor: Actor, texts: AffiliateFormValues, known?: Affiliate) => {
      const { details, errors } = parseAffiliateForm(texts)
      const all = { ...errors, ...findPostbackError(details, known) }
      return hasNone(all) ? save(actor, details, known) : { id: '', errors: all }
    },
    /**
     * Stops an affiliate: from now on, its leads wait in quarantine, unpaid. Or starts a stopped affiliate again.
     * @param reason the operator's own words, without personal data
     */
    change: (actor: Actor, { id }: Pick<Affiliate, 'id'>, to: AffiliateChange, reason: string) =>
      runAuditedTransaction(
        { db, clock },
        { actor, permission, action: changeActions[to], subject: id, reason },
        (tx, now, keep) => changeAffiliate(tx, { id, to, reason, now, keep }),
        (isChanged) => (isChanged ? 'done' : undefined),
      ),
    /** Counts what a removal of the affiliate would delete or send. */
    previewRemoval: async (actor: Actor, { id }: Affiliate): Promise<AffiliateRemoval> => {
      authorize(actor, 'change affiliates', clock())
      const rows = await selectCaps(db).where('affiliate_id', '=', id).execute()
      const caps = rows.map(parseCapRow)
      const postbacks = db.selectFrom('notifications').where('kind', '=', 'postback')
      return {
        caps: caps.map((cap) => describeLimits(cap)),
        waitingPostbacks: await countRows(
          postbacks.where('destination', '=', id).where('settled_at', 'is', null),
        ),
        held: await countHeld(
          db,
          caps.map((cap) => cap.id),
        ),
      }
    },
    /**
     * Removes an affiliate and its caps, but leaves the affiliate's ids in its leads. The leads that the caps hold become
     * due. @returns the number of these leads
     */
    remove: async (actor: Actor, { id }: Pick<Affiliate, 'id'>): Promise<number> => {
      const due = await runAuditedTransaction(
        { db, clock },
        { actor, permission, action: 'removed an affiliate', subject: id },
        (tx, now, keep) => removeAffiliate(tx, id, { now, keep }),
        (count) =>
          count === undefined ? undefined : `removed; ${pluralize(count, 'held lead')} due`,
      )
      return due ?? 0
    },
  }
}

const hasNone = (errors: AffiliateErrors): boolean => Object.keys(errors).length === 0

async function listAffiliates(db: Kysely<StoreTables>, now: number): Promise<readonly Affiliate[]> {
  const rows = await db
    .selectFrom('affiliates')
    .select(['id', 'name', 'notes', 'postback_url as postbackUrl'])
    .select(['created_at as createdAt', 'stopped_at as stoppedAt', 'stop_reason as stopReason'])
    .execute()
  const payouts = await db
    .selectFrom('payouts')
    .select(['affiliate_id', 'program', 'from_day as fromDay', 'from_at as fromAt'])
    .select('amount_cents as amountCents')
    .where('program', 'is', null)
    .execute()
  const payoutsOf = Map.groupBy(payouts, ({ affiliate_id }) => affiliate_id)
  const ids = await db.selectFrom('affiliate_ids').selectAll().orderBy('affid').execute()
  const idsOf = Map.groupBy(ids, ({ affiliate_id }) => affiliate_id)
  return rows
    .map((row) => ({
      ...row,
      ids: (idsOf.get(row.id) ?? []).map(({ affid }) => affid),
      payoutCents: findDatedValue(payoutsOf.get(row.id) ?? [], null, now)?.amountCents ?? null,
    }))
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en-US'))
}

interface SavedAffiliate {
  readonly id: string
  readonly isNew: boolean
  readonly details: AffiliateDetails
  readonly keep: KeepChange
}

async function saveAffiliate(
  tx: Transaction<StoreTables>,
  { id, isNew, details, keep }: SavedAffiliate,
  moment: ZonedTime & { readonly actor: Actor },
): Promise<AffiliateErrors> {
  await lockAffiliates(tx)
  const all = await listAffiliates(tx, moment.now)
  const before = all.find((one) => one.id === id)
  const errors = findAffiliateConflicts(
    details,
    all.filter((other) => other !== before),
  )
  if (!hasNone(errors)) return errors
  if (before === undefined && !isNew)
    return { name: 'Another operator has removed this affiliate.' }
  const payout = await savePayout(tx, id, details.payoutCents, moment)
  if (payout.fault !== undefined) return { payout: payout.fault }
  const { name, notes, ids, payoutCents: payout_cents, postbackUrl: postback_url } = details
  const row = { name, notes, payout_cents, postback_url }
  await (before === undefined
    ? tx.insertInto('affiliates').values({ id, created_at: moment.now, ...row })
    : tx.updateTable('affiliates').set(row).where('id', '=', id)
  ).execute()
  await keep({
    target: name,
    after: { ...toAuditedValues(details), ...payout.audited },
    ...(before && { before: toAuditedValues(before) }),
  })
  if (before?.ids.toSorted().join('\n') === ids.toSorted().join('\n')) return {}
  await tx.deleteFrom('affiliate_ids').where('affiliate_id', '=', id).execute()
  if (ids.length > 0) {
    const rows = ids.map((affid) => ({ affid, affiliate_id: id }))
    await tx.insertInto('affiliate_ids').values(rows).execute()
  }
  await recountCapsOf(tx, id, moment)
  return {}
}

/** Sets the payout if it differs from the one that counts now. */
async function savePayout(
  tx: Transaction<StoreTables>,
  id: string,
  amountCents: number | null,
  moment: ZonedTime & { readonly actor: Actor },
) {
  const values = (await listDatedValues(tx, { id })).filter(({ program }) => program === null)
  const fromDay = values.length === 0 ? beginning : toDay(moment.now, moment.zone)
  if ((findDatedValue(values, null, moment.now)?.amountCents ?? null) === amountCents) return {}
  if (amountCents === null) return { fault: noAmountFault }
  const value = { program: null, fromDay, amountCents }
  const { fault } = await setDatedValue(tx, { id }, value, moment)
  return { fault, audited: { 'payout from': formatFromDay(fromDay) } }
}

const changeActions = {
  stop: 'stopped an affiliate',
  start: 'started an affiliate',
} as const

interface StopOrStart extends Pick<SavedAffiliate, 'id' | 'keep'> {
  readonly to: AffiliateChange
  readonly reason: string
  readonly now: number
}

/** @returns false if the affiliate was removed, or is already stopped or started */
async function changeAffiliate(
  tx: Transaction<StoreTables>,
  { id, to, reason, now, keep }: StopOrStart,
): Promise<boolean> {
  const isStop = to === 'stop'
  const changed = await tx
    .updateTable('affiliates')
    .set({ stopped_at: isStop ? now : null, stop_reason: isStop ? reason : null })
    .where('id', '=', id)
    .where('stopped_at', isStop ? 'is' : 'is not', null)
    .returning('name')
    .executeTakeFirst()
  if (changed === undefined) return false
  const [before, after] = isStop ? ['no', 'yes'] : ['yes', 'no']
  await keep({ target: changed.name, before: { stopped: before }, after: { stopped: after } })
  return true
}

/** Keeps two operators from saving the same name or id at once, and an edit from coming between a removal and its entry. */
async function lockAffiliates(tx: Transaction<StoreTables>): Promise<void> {
  if (tx.getExecutor().adapter instanceof PostgresAdapter) {
    await sql`lock table affiliates in exclusive mode`.execute(tx)
  }
}

/** @returns how many held leads become due; undefined if another operator has removed the affiliate */
async function removeAffiliate(
  tx: Transaction<StoreTables>,
  id: string,
  { now, keep }: { readonly now: number; readonly keep: KeepChange },
): Promise<number | undefined> {
  await lockAffiliates(tx)
  const removed = (await listAffiliates(tx, now)).find((one) => one.id === id)
  if (removed === undefined) return undefined
  // The caps are removed last: adding a cap needs a lock on the affiliate's row, which this transaction has deleted.
  await tx.deleteFrom('affiliates').where('id', '=', id).execute()
  await tx.deleteFrom('affiliate_ids').where('affiliate_id', '=', id).execute()
  await tx
    .insertInto('removed_affiliates')
    .values({ id, name: removed.name, removed_at: now })
    .execute()
  const { caps, due } = await removeCaps(tx, (cap) => cap.affiliateId === id, now)
  const { name } = removed
  const removedCaps = Object.fromEntries(
    caps.map((cap, index) => [`cap ${index + 1}`, describeCap({ ...cap, affiliate: name })]),
  )
  await keep({ target: name, before: { ...toAuditedValues(removed), ...removedCaps } })
  return due
}

/** Returns an affiliate's values for the audit log, without email addresses in ids: nobody can erase them there. */
const toAuditedValues = (details: AffiliateDetails): AffiliateFormValues =>
  toAffiliateFormValues({ ...details, ids: details.ids.map(maskCampaign) })
