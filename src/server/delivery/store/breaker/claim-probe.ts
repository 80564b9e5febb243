import type { Kysely, Transaction } from 'kysely'
import type { Locking } from '#server/platform/database/locking.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { Claim } from '../../delivery-queue.ts'
import { claimDelivery } from '../claim-deliveries.ts'
import { type Claimed, withLeads } from '../claim-due.ts'
import { readBreaker, updateBreaker } from './breaker-row.ts'
import { chooseProbe, type ProbeChoice } from './choose-probe.ts'

interface ProbeClaim extends Pick<Claim, 'now' | 'leaseUntil'> {
  /** Names the probe: see `probeFailed`. */
  readonly lease: string
  readonly locking: Locking
}

const nothing: Claimed = { deliveries: [], unreadable: [] }

/** The right to the next probe and a delivery for it, both or neither. Only reads where there is none to be had. */
export async function claimProbe(db: Kysely<StoreTables>, claim: ProbeClaim): Promise<Claimed> {
  const { pause, trip } = await readBreaker(db)
  if (pause !== null || trip === null || trip.probeAt > claim.now) return nothing
  const chosen = await chooseProbe(db, trip, claim.now)
  if (chosen === undefined) return nothing
  const row = await db.transaction().execute(async (store) => {
    if (!(await takeProbe(store, claim))) return undefined
    const claimed = await claimDelivery(store, chosen.id, claim)
    // Another worker was quicker, and the probe is still to be had.
    if (claimed === undefined) await giveProbeBack(store, claim)
    return claimed
  })
  return row === undefined ? nothing : asProbe(db, row, { ...claim, ...chosen })
}

async function asProbe(
  db: Kysely<StoreTables>,
  row: NonNullable<Awaited<ReturnType<typeof claimDelivery>>>,
  claim: ProbeClaim & ProbeChoice,
): Promise<Claimed> {
  const { deliveries, unreadable } = await withLeads(db, [row], claim)
  // It is none, and the next one is to be had at once.
  if (deliveries.length === 0) await giveProbeBack(db, claim)
  return {
    deliveries: deliveries.map((delivery) => ({ ...delivery, probe: claim.kind })),
    unreadable,
  }
}

/** One guarded update, so that of all workers one has the probe; it counts as lost when the lease ends. */
async function takeProbe(
  store: Transaction<StoreTables>,
  { now, leaseUntil, lease }: ProbeClaim,
): Promise<boolean> {
  const taken = await updateBreaker(store)
    .set({ probe: lease, probe_at: leaseUntil })
    .where('probe_at', '<=', now)
    .where('paused_by', 'is distinct from', 'operator')
    .executeTakeFirst()
  return taken.numUpdatedRows > 0n
}

/** Whoever asks next may have it. @returns whether this lease had it */
export async function giveProbeBack(
  store: Kysely<StoreTables>,
  { now, lease }: Pick<ProbeClaim, 'now' | 'lease'>,
): Promise<boolean> {
  const { numUpdatedRows } = await updateBreaker(store)
    .set({ probe: null, probe_at: now })
    .where('probe', '=', lease)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
