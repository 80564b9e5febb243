import type { Kysely } from 'kysely'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { LeadNews } from './live-news.ts'

/** Who looks once a second misses nothing of these: a follower makes fewer than forty a second. */
const keptNews = 1000
const forgottenAtOnce = 100

/**
 * In the transaction that brings these leads into the index, for the other processes' open pages. One follows at a time, so
 * that numbers are seen in their order.
 */
export async function tellNews(
  store: Kysely<StoreTables>,
  leads: readonly string[],
): Promise<LeadNews> {
  const { seq } = await store
    .insertInto('lead_news')
    .values({ leads: JSON.stringify(leads) })
    .returning('seq')
    .executeTakeFirstOrThrow()
  if (seq % forgottenAtOnce === 0) {
    await store
      .deleteFrom('lead_news')
      .where('seq', '<=', seq - keptNews)
      .execute()
  }
  return { seq, leads }
}
