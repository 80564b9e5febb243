import type { Kysely, Selectable, Transaction } from 'kysely'
import { type AttemptOutcome, findAttemptReason } from '#domain/delivery/outcome.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { Destination } from '#domain/notifications/notification.ts'
import {
  type ClaimedItem,
  type ClaimResult,
  claimItems,
  type ItemReader,
  type LeaseRequest,
  readSendableLeads,
} from '#server/delivery/claim-deliveries.ts'
import {
  makeAttemptRecorder,
  makeOutboxQueue,
  maxBatchSize,
  type OutboxQueue,
} from '#server/delivery/delivery-queue.ts'
import {
  applyAttempt,
  deliveryColumns,
  deliveryColumnTypes,
  type RecordAttemptsTask,
  type RecordedAttempt,
} from '#server/delivery/record-attempts.ts'
import { findListedLeads } from '#server/leads/do-not-contact.ts'
import { makeGroupCommit } from '#server/platform/database/group-commit.ts'
import type { DatabaseTask, LeadDatabase } from '#server/platform/database/lead-database.ts'
import { updateManyRows } from '#server/platform/database/rows.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

export interface ClaimedNotification extends ClaimedItem {
  /** Undefined if the notification cannot be sent. */
  readonly notification: Notification | undefined
}

interface DestinationClaim extends LeaseRequest {
  readonly destination: Destination
}

/** Claims the due notifications of several destinations, and reads the data for their calls, in one transaction. */
export const claimDueNotifications: DatabaseTask<
  readonly DestinationClaim[],
  readonly ClaimResult<ClaimedNotification>[]
> = {
  name: 'claimDueNotifications',
  run: (db, claims) =>
    db.transaction().execute(async (tx) => {
      const results = []
      for (const claim of claims) {
        results.push(await claimItems(tx, claim, makeNotificationReader(claim.destination)))
      }
      return results
    }),
}

/** Returns a function that makes a destination's queue. Simultaneous claims of all queues share a transaction. */
export function makeNotificationQueues(database: Pick<LeadDatabase, 'db' | 'run'>) {
  const record = makeAttemptRecorder(database, recordNotificationAttempts)
  const claimTogether = makeGroupCommit<DestinationClaim, ClaimResult<ClaimedNotification>>({
    maxBatch: maxBatchSize,
    keysOf: ({ destination }) => [destination.id],
    isItemFault: () => false,
    commit: (batch) => database.run(claimDueNotifications, batch),
  })
  return (destination: Destination): OutboxQueue<ClaimedNotification> =>
    makeOutboxQueue(database.db, {
      destination,
      claimDue: (claim) => claimTogether({ ...claim, destination }),
      readItems: makeNotificationReader(destination),
      record,
    })
}

/** An item has no notification if its destination was removed, or if its lead was erased or cannot be read. */
const makeNotificationReader =
  (destination: Destination): ItemReader<ClaimedNotification> =>
  async (tx, claimed) => {
    if (claimed.length === 0) return []
    const receiver = await readDestinationDetails(tx, destination)
    const rows = await tx
      .selectFrom('notifications')
      .leftJoin('leads', 'leads.id', 'notifications.lead_id')
      .leftJoin('lead_ledger', (join) =>
        join
          .onRef('lead_ledger.lead_id', '=', 'notifications.lead_id')
          .on('lead_ledger.kind', '=', 'accepted'),
      )
      .select(['notifications.id', 'notifications.lead_id', 'event', 'event_at', 'event_reason'])
      .select(['signals', 'payout_cents as payoutCents'])
      .where(
        'notifications.id',
        'in',
        claimed.map(({ id }) => id),
      )
      .execute()
    const leads = await readSendableLeads(tx, rows)
    const sendsPersonalData =
      receiver && 'webhook' in receiver && receiver.webhook.sends_personal_data === 1
    const stopped = sendsPersonalData
      ? await findListedLeads(tx, [...leads.keys()])
      : new Set<string>()
    return claimed.map(({ lead_id, ...item }) => {
      const row = rows.find(({ id }) => id === item.id)
      const lead = lead_id === null ? null : leads.get(lead_id)
      const isSendable =
        receiver && row && lead !== undefined && (lead === null || !('unreadable' in lead))
      return {
        ...item,
        lead: { id: lead_id ?? item.id },
        notification: isSendable
          ? { ...row, lead, receiver, isStopped: stopped.has(lead_id ?? '') }
          : undefined,
      }
    })
  }

type Db = Kysely<StoreTables>
export type WebhookRow = Selectable<StoreTables['webhooks']>

/** A notification with its lead and its receiver. */
export interface Notification
  extends Pick<
    Selectable<StoreTables['notifications']>,
    'id' | 'lead_id' | 'event' | 'event_at' | 'event_reason'
  > {
  /** Null for a test. */
  readonly lead: Lead | null
  /** The lead's signals of abuse, as stored. */
  readonly signals: string | null
  /** The affiliate's payout for the lead, in US cents; null if there is none. */
  readonly payoutCents: number | null
  readonly receiver: DestinationDetails
  /** Whether the person asked not to be contacted, so that no webhook receives the answers; looked up at each attempt. */
  readonly isStopped?: boolean
}

/** A postback's `url` is a template. */
type DestinationDetails =
  | { readonly webhook: WebhookRow }
  | { readonly postback: { readonly url: string } }

/** @returns undefined if the destination was removed */
export async function readDestinationDetails(
  db: Db,
  { kind, id }: Destination,
): Promise<DestinationDetails | undefined> {
  if (kind === 'webhook') {
    const rows = db.selectFrom('webhooks').selectAll().where('id', '=', id)
    const webhook = await rows.executeTakeFirst()
    return webhook && { webhook }
  }
  const affiliates = db.selectFrom('affiliates').select('postback_url as url')
  const { url } = (await affiliates.where('id', '=', id).executeTakeFirst()) ?? {}
  return url ? { postback: { url } } : undefined
}

/** Returns the columns that contain the destination's latest answer, or the reason why no answer came. */
export const toCallResultColumns = (
  outcome: AttemptOutcome,
  reply: string | null,
  triedAt: number,
) => ({
  tried_at: triedAt,
  http_status: 'httpStatus' in outcome ? (outcome.httpStatus ?? null) : null,
  error: ('code' in outcome && outcome.code) || (findAttemptReason(outcome) ?? null),
  reply,
})

const answerTypes = {
  tried_at: 'bigint',
  http_status: 'integer',
  error: 'text',
  reply: 'text',
} as const

/** Stores the attempts whose lease is still valid. The erasure of a lead, for example, ends the lease. */
export const recordNotificationAttempts: RecordAttemptsTask = {
  name: 'recordNotificationAttempts',
  run: (db, attempts) => db.transaction().execute((tx) => recordAttempts(tx, attempts)),
}

async function recordAttempts(
  tx: Transaction<StoreTables>,
  attempts: readonly RecordedAttempt[],
): Promise<readonly boolean[]> {
  const ids = attempts.map(({ deliveryId }) => deliveryId)
  const rows = await tx
    .selectFrom('notifications as deliveries' as 'deliveries')
    .select(['id', 'lead_id', 'created_at', ...deliveryColumns])
    .where('id', 'in', ids)
    // Locking rows in a fixed order prevents a deadlock between two processes.
    .orderBy('id')
    .forUpdate()
    .execute()
  const stored = new Map(rows.map((row) => [row.id, row]))
  const changed = attempts.flatMap((attempt) => {
    const row = stored.get(attempt.deliveryId)
    if (row?.lease !== attempt.lease) return []
    const next = applyAttempt({ ...row, lead_erased_at: null, is_capped: false }, attempt)
    const { outcome, response = null, startedAt } = attempt
    return { ...next, ...toCallResultColumns(outcome, response, startedAt) }
  })
  await updateManyRows(tx, 'notifications', { ...deliveryColumnTypes, ...answerTypes }, changed)
  const held = new Set(changed.map(({ id }) => id))
  return ids.map((id) => held.has(id))
}
