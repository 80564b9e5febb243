import type { Kysely, Transaction } from 'kysely'
import type { AbuseSignal } from '#domain/abuse/signals.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { Device } from '#domain/measuring/funnel.ts'
import { runInTransaction } from '#server/platform/database/retry-conflicts.ts'
import { readSearchKeySecret } from '#server/platform/database/shared-secret.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { assignErrorGroups } from './error-groups.ts'
import { toOriginColumns } from './lead-origins.ts'
import { parseFieldsKeptAfterErasure, readPayload } from './lead-payload.ts'
import { parseAbuseSignals } from './lead-status.ts'
import { makeLeadSearchKeys } from './person-searches.ts'

/** The columns of a lead's index row that come from its answers. Triggers write the other columns (migration 0022). */
const toIndexColumns = (
  lead: Parameters<typeof toOriginColumns>[0] & Pick<Lead, 'program' | 'state' | 'addressVerified'>,
) => ({
  program: lead.program.id,
  ...toOriginColumns(lead),
  state: lead.state,
  verified: lead.addressVerified ? 1 : 0,
})

interface IndexedArrival {
  readonly lead: Lead
  readonly signals: readonly AbuseSignal[]
  readonly isQuarantined: boolean
  /** Null or absent if the visitor's device is unknown. */
  readonly device?: Device | null
}

/**
 * Inserts the index rows of leads in the transaction that stores the leads. The index rows come first, because a
 * trigger assumes that a lead without an index row comes from the previous version. {@link markDuplicatesInIndex} later
 * marks leads that turn out to be duplicates.
 * @param secret the store's secret; see `readSearchKeySecret`
 * @returns the ids of the leads that had no index row before
 */
export async function insertIndexRows(
  tx: Transaction<StoreTables>,
  arrivals: readonly IndexedArrival[],
  secret: string,
): Promise<readonly string[]> {
  const rows = await tx
    .insertInto('lead_index')
    .values(
      arrivals.map(({ lead, isQuarantined, device = null }) => ({
        lead_id: lead.id,
        received_at: lead.receivedAt,
        status: isQuarantined ? ('quarantined' as const) : ('owed' as const),
        area: lead.area,
        attempts: 0,
        device,
        ...toIndexColumns(lead),
      })),
    )
    .onConflict((conflict) => conflict.column('lead_id').doNothing())
    .returning('lead_id')
    .execute()
  const inserted = new Set(rows.map(({ lead_id }) => lead_id))
  const keys = arrivals
    .filter(({ lead }) => inserted.has(lead.id))
    .flatMap(({ lead, signals }) =>
      makeLeadSearchKeys(secret, lead, signals).map((key) => ({
        key,
        received_at: lead.receivedAt,
        lead_id: lead.id,
      })),
    )
  if (keys.length > 0) await tx.insertInto('lead_keys').values(keys).execute()
  return [...inserted]
}

/** Removes the index rows of leads that were not stored because their idempotency key was already known. */
export async function removeIndexRows(
  tx: Transaction<StoreTables>,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await tx.deleteFrom('lead_keys').where('lead_id', 'in', ids).execute()
  await tx.deleteFrom('lead_index').where('lead_id', 'in', ids).execute()
}

export async function markDuplicatesInIndex(
  tx: Transaction<StoreTables>,
  ids: readonly string[],
): Promise<void> {
  await tx
    .updateTable('lead_index')
    .set({ status: 'duplicate' })
    .where('lead_id', 'in', ids)
    .execute()
}

/** Completes the index rows of leads that the previous version stored. @returns how many rows were completed */
export function indexLeadsOfPreviousVersion(
  db: Kysely<StoreTables>,
  take: number,
): Promise<number> {
  return runInTransaction(db, async (tx) => {
    const waiting = await tx
      .selectFrom('leads_to_index')
      .select('lead_id')
      .limit(take)
      .forUpdate()
      .skipLocked()
      .execute()
    if (waiting.length === 0) return 0
    const ids = waiting.map(({ lead_id }) => lead_id)
    await completeIndexRows(tx, ids)
    await assignErrorGroups(tx, ids)
    await tx.deleteFrom('leads_to_index').where('lead_id', 'in', ids).execute()
    return ids.length
  })
}

async function completeIndexRows(
  tx: Transaction<StoreTables>,
  ids: readonly string[],
): Promise<void> {
  const secret = await readSearchKeySecret(tx)
  const leads = await tx
    .selectFrom('leads')
    .select(['id', 'received_at', 'email', 'payload', 'signals', 'erased_at'])
    .where('id', 'in', ids)
    .orderBy('id')
    // The lock makes a concurrent erasure wait, so that the erasure also removes the keys that are added here.
    .forShare()
    .execute()
  const keys = []
  for (const { id: lead_id, received_at, email, payload, signals, erased_at } of leads) {
    const answers = erased_at === null ? readPayload(payload).answers : undefined
    const columns =
      answers === undefined
        ? { ...noAnswers, program: parseFieldsKeptAfterErasure(payload).program?.id ?? null }
        : toIndexColumns({ ...answers, email })
    await tx.updateTable('lead_index').set(columns).where('lead_id', '=', lead_id).execute()
    if (erased_at !== null) continue
    const found = makeLeadSearchKeys(secret, { ...answers, email }, parseAbuseSignals(signals))
    keys.push(...found.map((key) => ({ key, received_at, lead_id })))
  }
  if (keys.length === 0) return
  await tx
    .insertInto('lead_keys')
    .values(keys)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The index columns of an erased or unreadable lead, except its program. */
const noAnswers: Omit<Record<keyof ReturnType<typeof toIndexColumns>, null>, 'program'> = {
  affiliate: null,
  source: null,
  campaign: null,
  medium: null,
  content: null,
  personal_origins: null,
  affiliate_key: null,
  source_key: null,
  campaign_key: null,
  medium_key: null,
  content_key: null,
  state: null,
  verified: null,
}
