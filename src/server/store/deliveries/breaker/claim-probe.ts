import type { Kysely, Transaction } from 'kysely'
import type { Claim, ClaimedDelivery } from '#server/use-cases/deliveries/delivery-queue.ts'
import type { StoreTables } from '../../store-tables.ts'
import { claimDelivery } from '../claim-deliveries.ts'
import { withLeads } from '../claim-due.ts'
import { readBreaker, updateBreaker } from './breaker-row.ts'
import { chooseProbe, type ProbeChoice } from './choose-probe.ts'

interface ProbeClaim extends Claim {
  /** Names the probe: see `probeFailed`. */
  readonly lease: string
  readonly canSkipLocked: boolean
}

/** The right to the next probe and a delivery for it, both or neither. Only reads where there is none to be had. */
export async function claimProbe(
  db: Kysely<StoreTables>,
  claim: ProbeClaim,
): Promise<ClaimedDelivery | undefined> {
  const { pause, trip } = await readBreaker(db)
  if (pause !== null || trip === null || trip.probeAt > claim.now) return undefined
  const chosen = await chooseProbe(db, trip, claim.now)
  if (chosen === undefined) return undefined
  const row = await db.transaction().execute(async (store) => {
    if (!(await takeProbe(store, claim))) return undefined
    const claimed = await claimDelivery(store, chosen.id, claim)
    // Another worker was quicker, and the probe is still to be had.
    if (claimed === undefined) await giveProbeBack(store, claim)
    return claimed
  })
  return row === undefined ? undefined : asProbe(db, row, { ...claim, ...chosen })
}

async function asProbe(
  db: Kysely<StoreTables>,
  row: NonNullable<Awaited<ReturnType<typeof claimDelivery>>>,
  claim: ProbeClaim & ProbeChoice,
): Promise<ClaimedDelivery | undefined> {
  const [delivery] = await withLeads(db, [row], claim)
  return delivery === undefined ? undefined : { ...delivery, probe: claim.kind }
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

/** Whoever asks next may have it. */
export async function giveProbeBack(
  store: Kysely<StoreTables>,
  { now, lease }: Pick<ProbeClaim, 'now' | 'lease'>,
): Promise<void> {
  await updateBreaker(store)
    .set({ probe: null, probe_at: now })
    .where('probe', '=', lease)
    .execute()
}
