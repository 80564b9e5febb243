import { type RawBuilder, sql } from 'kysely'
import { duplicateWindowMs } from '#domain/lead/duplicate.ts'

/** The lead that counts under a dedupe key: the one that asked for it, or the one that it repeats. */
interface Claimed {
  readonly same_enquiry_hash: string
  readonly lead_id: string
}

/** Who holds the key asked for it too long ago. */
const isFree = sql`enquirers.received_at <= excluded.received_at - ${sql.lit(duplicateWindowMs)}`

/**
 * Reading 18 in SQL that both databases take: the first lead under a dedupe key counts for 24 hours, and whoever asks
 * within them repeats it, which does not make them longer. A lead that the distributor has not taken has no key any more:
 * see pass-dedupe-keys-on.ts. This statement reads no other table, so that its plan stays a good one. The
 * row of a holder that stays is written, too, so that it is locked until the commit: of several who ask at once each
 * learns who came first.
 * @param leads rows of dedupe key, lead id and time of receipt, a key at most once: `values …` or `select …`
 */
export const claimDedupeKeys = (leads: RawBuilder<unknown>): RawBuilder<Claimed> => sql<Claimed>`
  insert into enquirers (same_enquiry_hash, lead_id, received_at) ${leads}
  on conflict (same_enquiry_hash) do update set
    lead_id = case when ${isFree} then excluded.lead_id else enquirers.lead_id end,
    received_at = case when ${isFree} then excluded.received_at else enquirers.received_at end
  returning same_enquiry_hash, lead_id`
