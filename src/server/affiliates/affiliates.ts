import type { Kysely, Selectable } from 'kysely'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

export type AffiliateRow = Selectable<StoreTables['affiliates']>

/**
 * Finds the affiliate that sends an affiliate id.
 * @param affid as `lead_index.affiliate` stores it
 * @returns undefined if no affiliate has the id
 */
export const affiliateOf = (
  db: Kysely<StoreTables>,
  affid: string,
): Promise<AffiliateRow | undefined> =>
  db
    .selectFrom('affiliate_ids')
    .innerJoin('affiliates', 'affiliates.id', 'affiliate_ids.affiliate_id')
    .selectAll('affiliates')
    .where('affid', '=', affid)
    .executeTakeFirst()
