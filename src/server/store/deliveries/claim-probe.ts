import type { Kysely } from 'kysely'
import type { Claim, ClaimedDelivery } from '#server/use-cases/delivery-queue.ts'
import type { StoreTables } from '../store-tables.ts'
import { claimDeliveries } from './claim-deliveries.ts'
import { withLeads } from './claim-due.ts'

interface ProbeClaim extends Claim {
  /** Names the probe: see `probeFailed`. */
  readonly lease: string
  readonly canSkipLocked: boolean
}

/** The right to the next probe and the oldest due delivery for it, both or neither. */
export async function claimProbe(
  db: Kysely<StoreTables>,
  claim: ProbeClaim,
): Promise<ClaimedDelivery | undefined> {
  if (!(await isAnyDue(db, claim.now))) return undefined
  const rows = await db.transaction().execute(async (store) => {
    if (!(await takeProbe(store, claim))) return []
    const claimed = await claimDeliveries(store, { ...claim, limit: 1 })
    // Another worker was quicker, and the probe is still to be had.
    if (claimed.length === 0) await giveProbeBack(store, claim)
    return claimed
  })
  const [probe] = await withLeads(db, rows, claim)
  return probe
}

/** Only read, so that a worker that waits behind an open breaker writes nothing. */
async function isAnyDue(db: Kysely<StoreTables>, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('deliveries')
    .select('id')
    .where('settled_at', 'is', null)
    .where('next_at', '<=', now)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** One guarded update, so that of all workers one has the probe; it counts as lost when the lease ends. */
async function takeProbe(
  store: Kysely<StoreTables>,
  { now, leaseUntil, lease }: ProbeClaim,
): Promise<boolean> {
  const taken = await store
    .updateTable('delivery_gate')
    .set({ probe: lease, probe_at: leaseUntil })
    .where('id', '=', 1)
    .where('probe_at', '<=', now)
    .where('paused_by', 'is distinct from', 'operator')
    .executeTakeFirst()
  return taken.numUpdatedRows > 0n
}

/** Whoever asks next may have it. */
export async function giveProbeBack(
  store: Kysely<StoreTables>,
  { now, lease }: Pick<ProbeClaim, 'now' | 'lease'>,
): Promise<void> {
  await store
    .updateTable('delivery_gate')
    .set({ probe: null, probe_at: now })
    .where('probe', '=', lease)
    .execute()
}
