import type { Kysely } from 'kysely'
import type { StoreTables } from '../store-tables.ts'
import { giveProbeBack } from './breaker/claim-probe.ts'

interface UnheardClaim {
  readonly lease: string
  /** Epoch milliseconds. */
  readonly leaseUntil: number
  readonly now: number
}

/**
 * Runs claims, and remembers those that nobody heard the end of, as where the connection is lost at the commit. What
 * such a claim may have taken is given back before the next one, or it would lie there until its lease ends, and then
 * count as sent.
 */
export function makeClaims(db: Kysely<StoreTables>) {
  const unheard = new Map<string, UnheardClaim>()
  return async <Claimed>(claim: UnheardClaim, take: () => Promise<Claimed>): Promise<Claimed> => {
    for (const lost of unheard.values()) {
      await giveBack(db, { ...lost, now: claim.now })
      unheard.delete(lost.lease)
    }
    try {
      return await take()
    } catch (error) {
      unheard.set(claim.lease, claim)
      throw error
    }
  }
}

/** By the lease's end, which is indexed. */
async function giveBack(db: Kysely<StoreTables>, claim: UnheardClaim): Promise<void> {
  await db
    .updateTable('deliveries')
    .set((eb) => ({ lease: null, leased_until: null, next_at: eb.ref('created_at') }))
    .where('settled_at', 'is', null)
    .where('next_at', '=', claim.leaseUntil)
    .where('lease', '=', claim.lease)
    .execute()
  await giveProbeBack(db, claim)
}
