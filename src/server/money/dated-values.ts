import { randomUUIDv7 } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type Day, startOfDay, toDay } from '#domain/calendar.ts'
import {
  beginning,
  type DatedValue,
  describeOverlap,
  describePastDay,
  formatFromDay,
} from '#domain/money/dated-value.ts'
import { formatAmount } from '#domain/text/formats.ts'
import { toActorColumns } from '#server/operators/audit.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

/** A dated value, and who set it. */
export interface SetValue extends DatedValue {
  /** Null if an earlier release set the value. */
  readonly setAt: number | null
  /** The operator's email address or the operating system's user; empty if an earlier release set the value. */
  readonly setBy: string
}

/** Lists the payouts of an affiliate, or the revenues. The latest day comes first, the value of all programs first. */
export const listDatedValues = async (
  db: Kysely<StoreTables>,
  of: { readonly affiliateId: string } | 'revenue',
): Promise<readonly SetValue[]> => {
  const table =
    of === 'revenue'
      ? sql`revenues`
      : sql`(select * from payouts where affiliate_id = ${of.affiliateId}) as revenues`
  const { rows } = await sql<SetValue>`
    select program, from_day as "fromDay", from_at as "fromAt", amount_cents as "amountCents", set_at as "setAt",
      coalesce(operators.email, "system_user", '') as "setBy"
    from ${table} left join operators on operators.id = operator_id
    order by from_day desc, coalesce(program, -1)`.execute(db)
  return rows
}

export interface AddedValue extends Pick<DatedValue, 'program' | 'amountCents'> {
  readonly of: { readonly affiliateId: string } | 'revenue'
  readonly fromDay: Day
}

/**
 * Adds a payout or revenue from today, a later day or the beginning on. Leads that were accepted before keep theirs.
 * @returns why the value is refused; undefined if it was added
 */
export async function addDatedValue(
  tx: Transaction<StoreTables>,
  { of, program, fromDay, amountCents }: AddedValue,
  { actor, now, zone }: { readonly actor: Actor; readonly now: number; readonly zone: string },
): Promise<string | undefined> {
  if (fromDay !== beginning && fromDay < toDay(now, zone))
    return describePastDay(of === 'revenue' ? 'revenue' : 'payout')
  const values = await listDatedValues(tx, of)
  const same = values.find((one) => one.program === program && one.fromDay === fromDay)
  if (same !== undefined) return describeOverlap(same)
  const { operator_id, system_user } = toActorColumns(actor)
  const row = {
    ...{ id: randomUUIDv7(), program, from_day: fromDay, amount_cents: amountCents },
    from_at: fromDay === beginning ? 0 : startOfDay(fromDay, zone),
    ...{ set_at: now, operator_id, system_user },
  }
  await (of === 'revenue'
    ? tx.insertInto('revenues').values(row)
    : tx.insertInto('payouts').values({ ...row, affiliate_id: of.affiliateId })
  ).execute()
  return undefined
}

/** Returns a new value for the audit log. @param name `payout` or `revenue` */
export const auditDatedValue = (
  name: string,
  { program, fromDay, amountCents }: Omit<AddedValue, 'of'>,
): Readonly<Record<string, string>> => ({
  [`${name}${program === null ? '' : ` of program ${program}`} from ${formatFromDay(fromDay)}`]:
    formatAmount(amountCents) || 'none',
})
