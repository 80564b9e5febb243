import type { Kysely } from 'kysely'
import type { LeadArchive, LeadDetails } from '#server/use-cases/read-leads.ts'
import { countLeads } from './count-leads.ts'
import { selectStoredLeads, toStoredLead } from './lead-row.ts'
import { leadStatus, standingColumns } from './lead-standing.ts'
import { listLeads } from './list-leads.ts'
import { retryConflicts } from './retry-conflicts.ts'
import type { StoreTables } from './store-tables.ts'

export function makeLeadArchive(db: Kysely<StoreTables>): LeadArchive {
  return {
    list: (query) => retryConflicts(() => listLeads(db, query)),
    find: (id, now) => retryConflicts(() => findLead(db, id, now)),
    stats: (now) => retryConflicts(() => countLeads(db, now)),
  }
}

async function findLead(
  db: Kysely<StoreTables>,
  id: string,
  now: number,
): Promise<LeadDetails | undefined> {
  const row = await selectStoredLeads(db)
    .leftJoin('deliveries', 'deliveries.lead_id', 'leads.id')
    .select([...standingColumns, 'deliveries.next_at', 'deliveries.settled_at'])
    .where('leads.id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    lead: toStoredLead(row),
    status: leadStatus(row, now),
    duplicateOf: row.duplicate_of,
    delivery:
      row.delivery_id === null
        ? null
        : {
            id: row.delivery_id,
            settledAs: row.settled_as,
            nextAttemptAt: row.settled_as === null ? row.next_at : null,
            settledAt: row.settled_at,
            attempts: await findAttempts(db, row.delivery_id),
          },
  }
}

async function findAttempts(db: Kysely<StoreTables>, deliveryId: string) {
  const rows = await db
    .selectFrom('attempts')
    .select(['started_at', 'duration_ms', 'outcome', 'http_status', 'detail'])
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
    detail: row.detail,
  }))
}
