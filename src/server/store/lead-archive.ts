import type { Kysely } from 'kysely'
import type {
  LeadArchive,
  LeadDetails,
  LeadStats,
  LeadStatus,
  LeadSummary,
} from '#server/use-cases/read-leads.ts'
import { readPayload, selectLeads, toLead } from './lead-row.ts'
import { hasStatus, leadStatus } from './lead-standing.ts'
import { retryConflicts } from './retry-conflicts.ts'
import type { StoreTables } from './store-tables.ts'

export function makeLeadArchive(db: Kysely<StoreTables>): LeadArchive {
  return {
    list: (query) => retryConflicts(() => listLeads(db, query)),
    find: (id, now) => retryConflicts(() => findLead(db, id, now)),
    stats: (now) => retryConflicts(() => countLeads(db, now)),
  }
}

async function listLeads(
  db: Kysely<StoreTables>,
  { now, status, skip, take }: Parameters<LeadArchive['list']>[0],
): Promise<readonly LeadSummary[]> {
  const rows = await db
    .selectFrom('leads')
    .leftJoin('deliveries', 'deliveries.lead_id', 'leads.id')
    .select([
      'leads.id',
      'leads.received_at',
      'leads.area',
      'leads.email',
      'leads.payload',
      'deliveries.id as delivery_id',
      'deliveries.settled_as',
      'deliveries.leased_until',
      'deliveries.attempts',
    ])
    .$if(status !== undefined, (query) =>
      query.where((eb) => hasStatus(eb, status as LeadStatus, now)),
    )
    .orderBy('leads.received_at', 'desc')
    .orderBy('leads.id', 'desc')
    .limit(take)
    .offset(skip)
    .execute()
  return rows.map((row) => {
    const { firstName, lastName, program } = readPayload(row.payload)
    return {
      id: row.id,
      receivedAt: row.received_at,
      area: row.area,
      name: `${firstName} ${lastName}`,
      email: row.email,
      programName: program.name,
      status: leadStatus(row, now),
      attempts: row.attempts ?? 0,
    }
  })
}

async function findLead(
  db: Kysely<StoreTables>,
  id: string,
  now: number,
): Promise<LeadDetails | undefined> {
  const row = await selectLeads(db)
    .leftJoin('deliveries', 'deliveries.lead_id', 'leads.id')
    .select([
      'deliveries.id as delivery_id',
      'deliveries.next_at',
      'deliveries.leased_until',
      'deliveries.settled_as',
      'deliveries.settled_at',
    ])
    .where('leads.id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    lead: toLead(row),
    status: leadStatus(row, now),
    duplicateOf: row.duplicate_of,
    delivery:
      row.delivery_id === null
        ? null
        : {
            id: row.delivery_id,
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

async function countLeads(db: Kysely<StoreTables>, now: number): Promise<LeadStats> {
  const counted = await db
    .selectFrom('leads')
    .leftJoin('deliveries', 'deliveries.lead_id', 'leads.id')
    .select((eb) => {
      const count = (status: LeadStatus) =>
        eb.fn.countAll<number>().filterWhere(hasStatus(eb, status, now))
      return [
        eb.fn.countAll<number>().as('leads'),
        count('pending').as('pending'),
        count('leased').as('leased'),
        count('delivered').as('delivered'),
        count('rejected').as('rejected'),
        count('dead').as('dead'),
        count('duplicate').as('duplicate'),
        eb.fn
          .min('deliveries.created_at')
          .filterWhere(hasStatus(eb, 'pending', now))
          .as('oldestPending'),
        eb
          .selectFrom('attempts')
          .select(eb.fn.countAll<number>().as('n'))
          .$asScalar()
          .as('attempts'),
      ]
    })
    .executeTakeFirstOrThrow()
  const { leads, attempts, oldestPending, ...byStatus } = counted
  return {
    leads,
    byStatus,
    attempts: attempts ?? 0,
    oldestPendingAgeMs: oldestPending === null ? null : now - oldestPending,
  }
}
