import { randomUUIDv7 } from 'node:crypto'
import type { ProbeKind } from '#domain/delivery/breaker.ts'
import { type AttemptOutcome, findReason } from '#domain/delivery/outcome.ts'
import type { Destination } from '#domain/notifications/notification.ts'
import { claimProbeRow } from '#server/delivery/breaker-store.ts'
import {
  type ClaimedItem,
  type ClaimRequest,
  claimDeliveries,
} from '#server/delivery/claim-deliveries.ts'
import type { WorkQueue } from '#server/delivery/delivery-queue.ts'
import { LeaseReleaser } from '#server/delivery/lease-releaser.ts'
import { findOutbox } from '#server/delivery/outbox.ts'
import { applyAttempt, type RecordedAttempt, rowColumns } from '#server/delivery/record-attempts.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { inTransaction } from '#server/platform/database/retry-conflicts.ts'

type ClaimedRow = Awaited<ReturnType<typeof claimDeliveries>>['rows'][number]

/** The queue of the notifications for one destination, with the same claims and leases as deliveries. */
export function makeNotificationQueue(
  { db }: Pick<LeadDatabase, 'db'>,
  destination: Destination,
): WorkQueue<ClaimedItem> {
  const outbox = findOutbox(destination)
  const leases = new LeaseReleaser(db, outbox)
  const leased = ({ now, leaseUntil }: ClaimRequest) => ({
    now,
    leaseUntil,
    lease: randomUUIDv7(),
    destination,
  })
  return {
    claimDue: async (given) => {
      const claim = { ...leased(given), limit: given.limit }
      const { rows } = await leases.claim(claim, () =>
        inTransaction(db, (store) => claimDeliveries(store, claim)),
      )
      return rows.map((row) => toItem(row, claim))
    },
    claimProbe: async (given) => {
      const claim = leased(given)
      const claimed = await leases.claim(claim, () => claimProbeRow(db, claim))
      return claimed && toItem(claimed.row, claim, claimed.kind)
    },
    record: (attempt) => recordNotification(db, attempt),
    release: (items) => leases.release(items),
    returnLeases: (now) => leases.giveBack(now),
  }
}

const toItem = (
  row: ClaimedRow,
  { lease, leaseUntil }: { readonly lease: string; readonly leaseUntil: number },
  probe?: ProbeKind,
): ClaimedItem => ({
  id: row.id,
  lead: { id: row.lead_id ?? row.id },
  lease,
  leasedUntil: leaseUntil,
  attemptsBefore: row.attempts,
  triesSpent: row.attempts - row.spared,
  ...(probe && { probe }),
})

/** Makes the columns with a notification's latest answer, or with the reason why none came. */
export const toAnswerColumns = (outcome: AttemptOutcome, reply: string | null) => ({
  http_status: 'httpStatus' in outcome ? (outcome.httpStatus ?? null) : null,
  error: 'code' in outcome ? (outcome.code ?? null) : (findReason(outcome) ?? null),
  reply,
})

/**
 * Writes an attempt and its consequence, unless the lease was lost, for example because the lead was erased. Recording
 * an attempt twice changes nothing. @returns whether the lease was still valid
 */
async function recordNotification(
  db: LeadDatabase['db'],
  attempt: RecordedAttempt,
): Promise<boolean> {
  const { deliveryId: id, lease, outcome, response = null, startedAt } = attempt
  const row = await db
    .selectFrom('notifications as deliveries' as 'deliveries')
    .select(['id', 'lead_id', 'created_at', ...rowColumns])
    .where('id', '=', id)
    .where('lease', '=', lease)
    .executeTakeFirst()
  if (row === undefined) return false
  const next = applyAttempt({ ...row, lead_erased_at: null, is_capped: false }, attempt)
  const columns = Object.fromEntries(rowColumns.map((column) => [column, next[column]]))
  const { numUpdatedRows } = await db
    .updateTable('notifications')
    .set({
      ...columns,
      tried_at: startedAt,
      ...toAnswerColumns(outcome, response),
    })
    .where('id', '=', id)
    .where('lease', '=', lease)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
