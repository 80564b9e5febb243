import { type Kysely, sql } from 'kysely'
import type { LedgerSums } from '#domain/money/ledger.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

/**
 * Adds up the ledger's entries of a period for each affiliate that has some, except removed affiliates. An entry counts
 * at the time of the acceptance or the return.
 */
export async function readLedgerByAffiliate(
  db: Kysely<StoreTables>,
  { since, until }: { readonly since: number; readonly until: number },
): Promise<ReadonlyMap<string | null, LedgerSums>> {
  const rows = await db
    .selectFrom('lead_ledger')
    .select('affiliate_id')
    .select(ledgerSums)
    .where('affiliate_id', 'in', db.selectFrom('affiliates').select('id'))
    .where('at', '>=', since)
    .where('at', '<', until)
    .groupBy('affiliate_id')
    .execute()
  return new Map(rows.map(({ affiliate_id, ...sums }) => [affiliate_id, toLedgerSums(sums)]))
}

/** Selects the sums of a group of entries. PostgreSQL returns them as texts: see {@link toLedgerSums}. */
export const ledgerSums = [
  sql<number>`count(case when kind = 'accepted' then 1 end)`.as('accepted'),
  sql<number>`count(case when kind = 'returned' then 1 end)`.as('returned'),
  sql<number | null>`sum(payout_cents)`.as('owedCents'),
  sql<number | null>`sum(revenue_cents)`.as('revenueCents'),
] as const

export function toLedgerSums(sums: LedgerSums): LedgerSums {
  const [accepted, returned] = [Number(sums.accepted), Number(sums.returned)]
  const toCents = (sum: number | null) =>
    accepted + returned === 0 ? 0 : sum === null ? null : Number(sum)
  const { owedCents, revenueCents } = sums
  return { accepted, returned, owedCents: toCents(owedCents), revenueCents: toCents(revenueCents) }
}

/** Adds up all entries of a period. */
export async function readLedgerSums(
  db: Kysely<StoreTables>,
  { since, until }: { readonly since: number; readonly until: number },
): Promise<LedgerSums> {
  const rows = db.selectFrom('lead_ledger').where('at', '>=', since).where('at', '<', until)
  return toLedgerSums(await rows.select(ledgerSums).executeTakeFirstOrThrow())
}
