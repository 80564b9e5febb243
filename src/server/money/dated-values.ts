import { randomUUIDv7 } from 'node:crypto'
import { type Kysely, PostgresAdapter, sql, type Transaction } from 'kysely'
import { startOfDay, toDay } from '#domain/calendar.ts'
import { minute } from '#domain/durations.ts'
import {
  beginning,
  type DatedValue,
  type DatedValueErrors,
  type DatedValueTexts,
  describeOverlap,
  describePastDay,
  formatFromDay,
  parseDatedValue,
} from '#domain/money/dated-value.ts'
import { formatAmount } from '#domain/text/formats.ts'
import { runAuditedTransaction, toActorColumns } from '#server/operators/audit.ts'
import { authorize, nameFor } from '#server/operators/authorize.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { OperatorContext } from '#server/operators/operator-context.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

/** Whose values: an affiliate's payouts, or what the distributor pays for a lead. */
export type ValueOwner = { readonly id: string; readonly name?: string } | 'revenue'

export interface SetValue extends DatedValue {
  readonly id: string
  /** Null if an earlier release set the value. */
  readonly setAt: number | null
  /** The operator's email address or the operating system's user; empty if an earlier release set the value. */
  readonly setBy: string
  /** Whether a lead was accepted since the value counts, so that nobody can replace or remove it. */
  readonly isUsed: boolean
}

/** Lists, sets and removes payouts and revenues, for the console and the command line. */
export function makeDatedValueActions(
  { db, clock }: OperatorContext,
  { zone }: { readonly zone: string },
) {
  const actOf = (of: ValueOwner) =>
    of === 'revenue'
      ? ({ permission: 'change the revenue', action: 'set the revenue' } as const)
      : ({
          permission: 'change affiliates',
          action: 'changed an affiliate',
          subject: of.id,
        } as const)
  const auditOf = (of: ValueOwner, value: AuditedValue) =>
    auditDatedValue(of === 'revenue' ? 'revenue' : 'payout', value)
  const targetOf = (of: ValueOwner) => (of === 'revenue' ? {} : { target: of.name })
  return {
    /** The latest day comes first, the value of all programs before those of single programs. */
    list: async (actor: Actor, of: ValueOwner) => {
      authorize(actor, of === 'revenue' ? 'see statements' : 'see affiliates', clock())
      const values = await listDatedValues(db, of)
      return values.map((value) => ({ ...value, setBy: nameFor(actor, value.setBy) }))
    },
    /**
     * Sets the value of leads that are accepted from a day on. Replaces the value of the same day and program, unless a
     * lead was accepted with it. @returns an error message for each wrong field
     */
    set: async (
      actor: Actor,
      of: ValueOwner,
      texts: DatedValueTexts,
    ): Promise<DatedValueErrors> => {
      authorize(actor, actOf(of).permission, clock())
      const { value, errors } = parseDatedValue(texts, toDay(clock(), zone))
      if (Object.keys(errors).length > 0) return errors
      return runAuditedTransaction<DatedValueErrors>(
        { db, clock },
        { actor, ...actOf(of) },
        async (tx, now, keep) => {
          const { fault, replaced } = await setDatedValue(tx, of, value, { actor, now, zone })
          if (fault !== undefined) return { startsOn: fault }
          const before = replaced && { before: auditOf(of, replaced) }
          await keep({ ...targetOf(of), ...before, after: auditOf(of, value) })
          return {}
        },
        ({ startsOn }) => (startsOn === undefined ? 'set' : undefined),
      )
    },
    /** Removes a value. @returns false if a lead was accepted with it, or if it was removed before */
    remove: (actor: Actor, of: ValueOwner, id: string): Promise<boolean> =>
      runAuditedTransaction(
        { db, clock },
        { actor, ...actOf(of) },
        async (tx, _, keep) => {
          await lockLedger(tx)
          const known = (await listDatedValues(tx, of)).find((one) => one.id === id)
          if (known === undefined || !(await deleteUnused(tx, of, id))) return false
          await keep({ ...targetOf(of), before: auditOf(of, known) })
          return true
        },
        (isRemoved) => (isRemoved ? 'removed' : undefined),
      ),
  }
}

/** A worker that settles a lead may have read its clock this long before the value was set. */
const settlingMs = minute

const valuesOf = (of: ValueOwner) =>
  of === 'revenue'
    ? sql`revenues as own where 1 = 1`
    : sql`payouts as own where own.affiliate_id = ${of.id}`

/**
 * Whether a lead of the value's owner and program was accepted for its amount since the value counts and was set. Without
 * an amount, the value of all programs counts, so any lead will do.
 */
const isUsed = (of: ValueOwner) => sql<boolean>`exists (
  select 1 from lead_ledger as entry
  where entry.kind = 'accepted' and (own.program is null or entry.program = own.program)
    and (own.amount_cents is null or own.amount_cents = ${sql.ref(of === 'revenue' ? 'entry.revenue_cents' : 'entry.payout_cents')})
    and entry.at >= case when own.set_at - ${settlingMs} > own.from_at then own.set_at - ${settlingMs} else own.from_at end
    ${of === 'revenue' ? sql`` : sql`and entry.affiliate_id = own.affiliate_id`})`

/** Lists the values of an owner. The latest day comes first, the value of all programs first. */
export async function listDatedValues(
  db: Kysely<StoreTables>,
  of: ValueOwner,
): Promise<readonly SetValue[]> {
  const { rows } = await sql<SetValue>`
    select values_of.*, coalesce(operators.email, "system_user", '') as "setBy"
    from (
      select own.id, own.program, own.from_day as "fromDay", own.from_at as "fromAt", own.amount_cents as "amountCents",
        own.set_at as "setAt", own.operator_id, own."system_user", ${isUsed(of)} as "isUsed"
      from ${valuesOf(of)}
    ) as values_of left join operators on operators.id = operator_id
    order by "fromDay" desc, coalesce(program, -1)`.execute(db)
  return rows.map((row) => ({ ...row, isUsed: Boolean(row.isUsed) }))
}

/** Makes leads that are being settled wait, so that none is accepted with a value that is being removed. */
async function lockLedger(tx: Transaction<StoreTables>): Promise<void> {
  if (tx.getExecutor().adapter instanceof PostgresAdapter)
    await sql`lock table lead_ledger in share row exclusive mode`.execute(tx)
}

async function deleteUnused(
  tx: Transaction<StoreTables>,
  of: ValueOwner,
  id: string,
): Promise<boolean> {
  const { rows } = await sql`
    delete from ${valuesOf(of)} and own.id = ${id} and not ${isUsed(of)} returning id`.execute(tx)
  return rows.length > 0
}

/**
 * Sets a payout or revenue from today, a later day or the beginning on. Leads that were accepted before keep theirs.
 * @returns why the value is refused, or the unused value of the same day that it replaces
 */
export async function setDatedValue(
  tx: Transaction<StoreTables>,
  of: ValueOwner,
  { program, fromDay, amountCents }: AuditedValue,
  { actor, now, zone }: { readonly actor: Actor; readonly now: number; readonly zone: string },
): Promise<{ readonly fault?: string; readonly replaced?: SetValue | undefined }> {
  const name = of === 'revenue' ? 'revenue' : 'payout'
  if (fromDay !== beginning && fromDay < toDay(now, zone)) return { fault: describePastDay(name) }
  await lockLedger(tx)
  const values = await listDatedValues(tx, of)
  const replaced = values.find((one) => one.program === program && one.fromDay === fromDay)
  if (replaced !== undefined && !(await deleteUnused(tx, of, replaced.id)))
    return { fault: describeOverlap(name, replaced) }
  const { operator_id, system_user } = toActorColumns(actor)
  const row = {
    ...{ id: randomUUIDv7(), program, from_day: fromDay, amount_cents: amountCents },
    from_at: fromDay === beginning ? 0 : startOfDay(fromDay, zone),
    ...{ set_at: now, operator_id, system_user },
  }
  await (of === 'revenue'
    ? tx.insertInto('revenues').values(row)
    : tx.insertInto('payouts').values({ ...row, affiliate_id: of.id })
  ).execute()
  return { replaced }
}

type AuditedValue = Pick<DatedValue, 'program' | 'fromDay' | 'amountCents'>

/** Returns a value for the audit log. @param name `payout` or `revenue` */
const auditDatedValue = (
  name: string,
  { program, fromDay, amountCents }: AuditedValue,
): Readonly<Record<string, string>> => ({
  [`${name}${program === null ? '' : ` of program ${program}`} from ${formatFromDay(fromDay)}`]:
    formatAmount(amountCents) || 'none',
})
