import type { Kysely } from 'kysely'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { LeadArchive, LeadDetails } from '../read-leads.ts'
import { countLeads, countUnreadable } from './count-leads.ts'
import { findEndings } from './delivery-endings.ts'
import { findCorrections } from './find-corrections.ts'
import { findRepetitions } from './find-repetitions.ts'
import { orUnreadable, readPayload } from './lead-payload.ts'
import { recordColumns, toRecord } from './lead-record.ts'
import { selectStoredLeads } from './lead-row.ts'
import { listLeads } from './list-leads.ts'

export function makeLeadArchive({
  db,
  patient,
}: Pick<LeadDatabase, 'db' | 'patient'>): LeadArchive {
  return {
    list: (query) => retryConflicts(() => listLeads(patient, query)),
    find: (id, now) => retryConflicts(() => findLead(db, id, now)),
    repetitionsOf: (id, take) => retryConflicts(() => findRepetitions(db, id, take)),
    affiliateOf: (id) => retryConflicts(() => findAffiliate(db, id)),
    stats: (now) => retryConflicts(() => countLeads(patient, now)),
    countUnreadable: () => retryConflicts(() => countUnreadable(db)),
  }
}

async function findLead(
  db: Kysely<StoreTables>,
  id: string,
  now: number,
): Promise<LeadDetails | undefined> {
  const row = await selectStoredLeads(db)
    .leftJoin('deliveries', 'deliveries.lead_id', 'leads.id')
    .select(recordColumns)
    .where('leads.id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const [attempts, endings] =
    row.delivery_id === null
      ? [[], []]
      : [await findAttempts(db, row.delivery_id), await findEndings(db, row.delivery_id)]
  const corrections = await findCorrections(db, [id])
  return toRecord(row, { now, corrections }, { attempts, endings })
}

async function findAffiliate(db: Kysely<StoreTables>, id: string) {
  const row = await db
    .selectFrom('leads')
    .select(['payload', 'erased_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return undefined
  if (row.erased_at !== null) return { subId: undefined }
  return orUnreadable(
    () => ({ subId: readPayload(row.payload).subId ?? undefined }),
    () => ({ subId: undefined }),
  )
}

async function findAttempts(db: Kysely<StoreTables>, deliveryId: string) {
  const rows = await db
    .selectFrom('attempts')
    .select(['started_at', 'duration_ms', 'outcome', 'http_status', 'reason', 'error_code'])
    .select(['retry_after_ms', 'detail'])
    .where('delivery_id', '=', deliveryId)
    .orderBy('started_at')
    .orderBy('id')
    .execute()
  return rows.map((row, index) => ({
    number: index + 1,
    startedAt: row.started_at,
    durationMs: row.duration_ms,
    outcome: row.outcome,
    httpStatus: row.http_status,
    reason: row.reason,
    code: row.error_code,
    retryAfterMs: row.retry_after_ms,
    said: row.detail,
  }))
}
