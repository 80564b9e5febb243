import { type Kysely, sql, type Transaction } from 'kysely'
import type { Logger } from 'pino'
import { hour } from '#domain/durations.ts'
import { findRetentionLimits, type RetentionLimits } from '#domain/lead/retention.ts'
import { type AdaptiveThrottle, makeAdaptiveThrottle } from '#server/platform/adaptive-throttle.ts'
import type { DatabaseTask, LeadDatabase } from '#server/platform/database/lead-database.ts'
import { countRows } from '#server/platform/database/rows.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { makePollingLoop, type PollingLoop } from '#server/platform/polling-loop.ts'
import { eraseLeads } from './erase-person.ts'
import type { LeadCursor } from './find-leads.ts'

/** How a lead's delivery ended; `not owed` if the lead never had a delivery. */
export const finalDeliveryStatuses = [
  ...(['delivered', 'rejected', 'dead', 'do-not-contact', 'not owed'] as const),
] as const

export interface ExpiredLeadCounts {
  /** Leads whose answers would be erased, by how their delivery ended. */
  readonly leads: Readonly<Record<(typeof finalDeliveryStatuses)[number], number>>
  /** Expired leads with an open delivery, which stay until the delivery is settled. */
  readonly stillOwed: number
  readonly consents: number
}

interface ExpiredBatch {
  readonly ids: readonly string[]
  readonly limits: RetentionLimits
  readonly now: number
}

interface ErasedCounts {
  readonly leads: number
  readonly consents: number
}

const selectLeadsBefore = (db: Kysely<StoreTables>, before: number) =>
  db
    .selectFrom('leads')
    .leftJoin('deliveries', 'deliveries.lead_id', 'leads.id')
    .where('leads.received_at', '<', before)

const hasNoOpenDelivery = sql<boolean>`(deliveries.id is null or deliveries.settled_as is not null)`

/** Counts the leads whose answers a retention run would erase. Changes nothing. */
async function countExpired(
  db: Kysely<StoreTables>,
  { leadsBefore, consentsBefore }: RetentionLimits,
): Promise<ExpiredLeadCounts> {
  const rows = await selectLeadsBefore(db, leadsBefore)
    .where('leads.erased_at', 'is', null)
    .select([
      sql<string>`case when deliveries.id is null then 'not owed' else coalesce(settled_as, 'owed') end`.as(
        'kind',
      ),
      sql<number>`count(*)`.as('n'),
    ])
    .groupBy('kind')
    .execute()
  const count = (kind: string): number => rows.find((row) => row.kind === kind)?.n ?? 0
  const consents = selectLeadsBefore(db, consentsBefore)
    .innerJoin('consents', 'consents.lead_id', 'leads.id')
    .where((eb) => eb.or([eb('leads.erased_at', 'is not', null), hasNoOpenDelivery]))
  return {
    leads: Object.fromEntries(
      finalDeliveryStatuses.map((kind) => [kind, count(kind)]),
    ) as ExpiredLeadCounts['leads'],
    stillOwed: count('owed'),
    consents: await countRows(consents),
  }
}

/** The most rows that one search reads: on SQLite, other reads wait for the 2 ms that a search takes. */
const maxReadAtOnce = 500

/**
 * Finds expired leads after the cursor `after`, oldest first. A search costs the same however many leads there are.
 * @returns the ids of the expired leads; `end` is the cursor of the last lead that the search read, undefined if no
 *   leads are left
 */
async function findExpiredLeads(
  db: Kysely<StoreTables>,
  { leadsBefore, consentsBefore }: RetentionLimits,
  after: LeadCursor = { receivedAt: 0, id: '' },
) {
  const rows = await selectLeadsBefore(db, Math.max(leadsBefore, consentsBefore))
    .leftJoin('consents', 'consents.lead_id', 'leads.id')
    .select(['leads.id', 'leads.received_at'])
    .select(
      sql<number>`case when
        (leads.received_at < ${leadsBefore} and leads.erased_at is null and ${hasNoOpenDelivery})
        or (leads.received_at < ${consentsBefore} and leads.erased_at is not null
          and consents.lead_id is not null)
        then 1 else 0 end`.as('is_expired'),
    )
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('leads.received_at', 'leads.id'), '>', tuple(after.receivedAt, after.id)),
    )
    .orderBy('leads.received_at')
    .orderBy('leads.id')
    .limit(maxReadAtOnce)
    .execute()
  const last = rows.at(-1)
  return {
    ids: rows.filter(({ is_expired }) => is_expired === 1).map(({ id }) => id),
    end: last && { receivedAt: last.received_at, id: last.id },
  }
}

/**
 * Erases the answers of leads that are still expired, and removes the proofs of consent whose own retention period is
 * over, in one transaction. Skips leads that another process has locked.
 */
export const eraseExpiredBatch: DatabaseTask<ExpiredBatch, ErasedCounts> = {
  name: 'eraseExpiredBatch',
  run: (db, batch) => db.transaction().execute((tx) => eraseBatch(tx, batch)),
  isSlow: true,
}

async function eraseBatch(
  tx: Transaction<StoreTables>,
  { ids, limits: { leadsBefore, consentsBefore }, now }: ExpiredBatch,
): Promise<ErasedCounts> {
  const locked = await tx
    .selectFrom('leads')
    .select(['id', 'payload', 'received_at', 'erased_at'])
    .where('id', 'in', ids)
    .where('received_at', '<', Math.max(leadsBefore, consentsBefore))
    .orderBy('id')
    .forUpdate()
    .skipLocked()
    .execute()
  const unerased = locked.filter((lead) => lead.erased_at === null)
  const open = await lockOpenDeliveries(
    tx,
    unerased.map(({ id }) => id),
  )
  const expired = unerased.filter(
    ({ id, received_at }) => received_at < leadsBefore && !open.has(id),
  )
  await eraseLeads(tx, expired, { by: 'retention', now })
  const withoutProof = locked
    .filter((lead) => lead.erased_at !== null || expired.includes(lead))
    .filter(({ received_at }) => received_at < consentsBefore)
    .map(({ id }) => id)
  if (withoutProof.length === 0) return { leads: expired.length, consents: 0 }
  const { numDeletedRows } = await tx
    .deleteFrom('consents')
    .where('lead_id', 'in', withoutProof)
    .executeTakeFirstOrThrow()
  return { leads: expired.length, consents: Number(numDeletedRows) }
}

/** Finds leads that, since the search, an operator has decided to send. The update locks their deliveries. */
async function lockOpenDeliveries(
  tx: Transaction<StoreTables>,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await tx
    .updateTable('deliveries')
    .set((eb) => ({ lead_id: eb.ref('lead_id') }))
    .where('lead_id', 'in', ids)
    .returning(['lead_id', 'settled_as'])
    .execute()
  return new Set(rows.filter((row) => row.settled_as === null).map((row) => row.lead_id))
}

export const makeExpiredLeadEraser = ({
  longQueryDb,
  run,
  wipe,
}: Pick<LeadDatabase, 'longQueryDb' | 'run' | 'wipe'>) => ({
  count: (limits: RetentionLimits) => countExpired(longQueryDb, limits),
  find: (limits: RetentionLimits, after?: LeadCursor) =>
    findExpiredLeads(longQueryDb, limits, after),
  erase: (batch: ExpiredBatch) => run(eraseExpiredBatch, batch),
  /** Removes the erased data from the store's files. */
  wipe,
})

export type ExpiredLeadEraser = ReturnType<typeof makeExpiredLeadEraser>

type RetentionStore = Pick<ExpiredLeadEraser, 'find' | 'erase'>

interface ErasureOrder extends Pick<ExpiredBatch, 'limits' | 'now'> {
  /** Decides the size of the batches and the pauses between them. */
  readonly throttle: AdaptiveThrottle
  /** Called after each batch with the number of leads erased so far. */
  readonly onProgress?: (leads: number) => void
}

/** The pause between two searches, in milliseconds; a short pause is enough, because a search does not delay writes. */
const searchPauseMs = 10

/** Erases expired leads in batches until none are left or `loop` is stopped. Several processes may erase at once. */
export async function eraseExpiredLeads(
  retention: RetentionStore,
  { limits, now, throttle, onProgress }: ErasureOrder,
  loop: Pick<PollingLoop, 'pause' | 'isStopping'>,
): Promise<ErasedCounts> {
  const erased = { leads: 0, consents: 0 }
  let found = await retention.find(limits)
  while (found.end !== undefined && !loop.isStopping()) {
    const { ids } = found
    for (let begin = 0; begin < ids.length && !loop.isStopping(); ) {
      const batch = ids.slice(begin, begin + throttle.batchSize(ids.length - begin))
      const startedAt = performance.now()
      const { leads, consents } = await retention.erase({ ids: batch, limits, now })
      erased.leads += leads
      erased.consents += consents
      onProgress?.(erased.leads)
      begin += batch.length
      await loop.pause(throttle.pauseAfter(performance.now() - startedAt, batch.length))
    }
    await loop.pause(searchPauseMs)
    found = await retention.find(limits, found.end)
  }
  return erased
}

interface RetentionLoopDependencies {
  readonly retention: RetentionStore & Pick<ExpiredLeadEraser, 'wipe'>
  /** How long a lead's answers are kept, in days. */
  readonly days: number
  readonly clock: () => number
  readonly log: Logger
  /** Called when no expired leads are left. */
  readonly onEnded: () => void
}

/**
 * Makes the loop that erases expired leads at the start and once a day, so slowly that visitors don't notice. Stopping
 * the loop waits for the current batch; the next start erases the rest.
 */
export function makeRetentionLoop({
  retention,
  days,
  clock,
  log,
  onEnded,
}: RetentionLoopDependencies) {
  const eraseAll = async (): Promise<number> => {
    const now = clock()
    const order = { limits: findRetentionLimits(now, days), now, throttle: makeAdaptiveThrottle() }
    const { leads, consents } = await eraseExpiredLeads(retention, order, loop)
    if (loop.isStopping()) return 0
    onEnded()
    if (leads + consents > 0) {
      const bytes = await retention.wipe()
      log.info({ leads, consents, bytes }, 'retention erased the expired leads')
    }
    return 24 * hour
  }
  const failureLog = {
    failed: (err: unknown) =>
      log.error({ err }, 'the retention run failed; trying again in an hour'),
    succeeded: () => undefined,
  }
  const loop: PollingLoop = makePollingLoop(eraseAll, failureLog, hour)
  return loop
}
