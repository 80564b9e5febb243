import { randomUUIDv7 } from 'node:crypto'
import type { Kysely } from 'kysely'
import { type AttemptOutcome, findReason } from '#domain/delivery/outcome.ts'
import type { Destination } from '#domain/notifications/notification.ts'
import { claimProbeRow } from '#server/delivery/breaker-store.ts'
import {
  type ClaimedItem,
  type ClaimRequest,
  claimDeliveries,
  type LeaseRequest,
} from '#server/delivery/claim-deliveries.ts'
import { maxBatch, type WorkQueue } from '#server/delivery/delivery-queue.ts'
import { LeaseReleaser } from '#server/delivery/lease-releaser.ts'
import { findOutbox } from '#server/delivery/outbox.ts'
import {
  applyAttempt,
  columnTypes,
  type RecordedAttempt,
  rowColumns,
  updateRows,
} from '#server/delivery/record-attempts.ts'
import { makeGroupCommit } from '#server/platform/database/group-commit.ts'
import type { DatabaseTask, LeadDatabase } from '#server/platform/database/lead-database.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { isInvalidRow } from '#server/platform/faults/database-errors.ts'
import { type Notification, readNotifications } from './read-notifications.ts'

export interface ClaimedNotification extends ClaimedItem {
  /** Undefined if it cannot be sent: see `readNotifications`. */
  readonly notification: Notification | undefined
}

type NotificationClaim = Omit<LeaseRequest, 'limit'> & { readonly destination: Destination }
type DueClaim = NotificationClaim & LeaseRequest

/** Claims the due notifications of several destinations in one transaction. */
export const claimDueNotifications: DatabaseTask<
  readonly DueClaim[],
  readonly (readonly ClaimedNotification[])[]
> = {
  name: 'claimDueNotifications',
  run: async (db, claims) => {
    const claimed = await db.transaction().execute(async (store) => {
      const results = []
      for (const claim of claims) results.push(await claimDeliveries(store, claim))
      return results
    })
    return Promise.all(claims.map((claim, index) => toItems(db, claim, claimed[index]?.rows ?? [])))
  },
}

export const recordNotificationAttempts: DatabaseTask<
  readonly RecordedAttempt[],
  readonly boolean[]
> = { name: 'recordNotificationAttempts', run: recordAttempts }

/**
 * Makes the queue of each destination's notifications, with the same claims and leases as deliveries. Claims of all
 * destinations that come together share a transaction, and so do the records of attempts that end together.
 */
export function makeNotificationQueues(database: Pick<LeadDatabase, 'db' | 'run'>) {
  const { db } = database
  const record = makeGroupCommit<RecordedAttempt, boolean>({
    maxBatch,
    namesOf: ({ deliveryId }) => [deliveryId],
    isFaultOfAnItem: isInvalidRow,
    commit: (batch) => database.run(recordNotificationAttempts, batch),
  })
  const claimTogether = makeGroupCommit<DueClaim, readonly ClaimedNotification[]>({
    maxBatch,
    namesOf: ({ destination }) => [destination.id],
    isFaultOfAnItem: () => false,
    commit: (batch) => database.run(claimDueNotifications, batch),
  })
  return (destination: Destination): WorkQueue<ClaimedNotification> => {
    const leases = new LeaseReleaser(db, findOutbox(destination))
    const leased = ({ now, leaseUntil }: ClaimRequest) => ({
      ...{ now, leaseUntil, destination },
      lease: randomUUIDv7(),
    })
    return {
      claimDue: (given) => {
        const claim = { ...leased(given), limit: given.limit }
        return leases.claim(claim, () => claimTogether(claim))
      },
      claimProbe: async (given) => {
        const claim = leased(given)
        const claimed = await leases.claim(claim, () => claimProbeRow(db, claim))
        const [item] = claimed ? await toItems(db, claim, [claimed.row]) : []
        return item && claimed && { ...item, probe: claimed.kind }
      },
      record,
      release: (items) => leases.release(items),
      returnLeases: (now) => leases.giveBack(now),
    }
  }
}

async function toItems(
  db: Kysely<StoreTables>,
  { destination, lease, leaseUntil: leasedUntil }: NotificationClaim,
  rows: Awaited<ReturnType<typeof claimDeliveries>>['rows'],
): Promise<readonly ClaimedNotification[]> {
  const ids = rows.map(({ id }) => id)
  const notifications = await readNotifications(db, destination, ids)
  return rows.map(({ id, lead_id, attempts, spared }) => ({
    ...{ id, lease, leasedUntil, attemptsBefore: attempts, triesSpent: attempts - spared },
    lead: { id: lead_id ?? id },
    notification: notifications.get(id),
  }))
}

/** The columns with a notification's latest answer, or with the reason why none came. */
export const toAnswerColumns = (
  outcome: AttemptOutcome,
  reply: string | null,
  triedAt: number,
) => ({
  tried_at: triedAt,
  http_status: 'httpStatus' in outcome ? (outcome.httpStatus ?? null) : null,
  error: 'code' in outcome ? (outcome.code ?? null) : (findReason(outcome) ?? null),
  reply,
})

const answerTypes = {
  tried_at: 'bigint',
  http_status: 'integer',
  error: 'text',
  reply: 'text',
} as const

/**
 * Writes attempts and their consequences, except those whose lease was lost, for example because the lead was erased.
 * Recording an attempt twice changes nothing. @returns for each attempt, whether its lease was still valid
 */
function recordAttempts(
  db: Kysely<StoreTables>,
  attempts: readonly RecordedAttempt[],
): Promise<readonly boolean[]> {
  return db.transaction().execute(async (store) => {
    const ids = attempts.map(({ deliveryId }) => deliveryId)
    const rows = await store
      .selectFrom('notifications as deliveries' as 'deliveries')
      .select(['id', 'lead_id', 'created_at', ...rowColumns])
      .where('id', 'in', ids)
      // A fixed order prevents a deadlock between two processes.
      .orderBy('id')
      .forUpdate()
      .execute()
    const stored = new Map(rows.map((row) => [row.id, row]))
    const changed = attempts.flatMap((attempt) => {
      const row = stored.get(attempt.deliveryId)
      if (row?.lease !== attempt.lease) return []
      const next = applyAttempt({ ...row, lead_erased_at: null, is_capped: false }, attempt)
      const { outcome, response = null, startedAt } = attempt
      return { ...next, ...toAnswerColumns(outcome, response, startedAt) }
    })
    await updateRows(store, 'notifications', { ...columnTypes, ...answerTypes }, changed)
    const held = new Set(changed.map(({ id }) => id))
    return ids.map((id) => held.has(id))
  })
}
