import type { Kysely } from 'kysely'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { LeadPages } from '../export/export-leads.ts'
import type { ExportedLead } from '../export/exported-lead.ts'
import { findCorrections } from './find-corrections.ts'
import { isChosen, liesBeyond, orderOf } from './lead-choice.ts'
import { recordColumns, toRecord } from './lead-record.ts'
import { selectStoredLeads } from './lead-row.ts'

export function makeLeadPages(db: Kysely<StoreTables>): LeadPages {
  return {
    page: (query) => retryConflicts(() => readPage(db, query)),
    count: (choice) => retryConflicts(() => countChosen(db, choice)),
  }
}

async function readPage(
  db: Kysely<StoreTables>,
  { after, take, ...choice }: Parameters<LeadPages['page']>[0],
): Promise<readonly ExportedLead[]> {
  const [time, id] = orderOf(choice.status)
  const rows = await selectStoredLeads(db)
    .leftJoin('deliveries', 'deliveries.lead_id', 'leads.id')
    .leftJoin('attempts as last', (join) =>
      join.on('last.id', '=', (eb) =>
        eb
          .selectFrom('attempts')
          .select('attempts.id')
          .whereRef('attempts.delivery_id', '=', 'deliveries.id')
          .orderBy('started_at', 'desc')
          .orderBy('attempts.id', 'desc')
          .limit(1),
      ),
    )
    .select([...recordColumns, 'deliveries.attempts'])
    .select([
      'last.outcome as last_outcome',
      'last.reason as last_reason',
      'last.detail as last_response',
    ])
    .where((eb) => isChosen(eb, choice))
    .where((eb) => liesBeyond(eb, after, { status: choice.status, towards: 'newer' }))
    .orderBy(time)
    .orderBy(id)
    .limit(take)
    .execute()
  const corrections = await findCorrections(
    db,
    rows.map(({ lead_id }) => lead_id),
  )
  const reading = { now: choice.now, corrections }
  return rows.map((row) =>
    toRecord(row, reading, {
      attempts: row.attempts ?? 0,
      lastOutcome: row.last_outcome,
      lastReason: row.last_reason,
      lastResponse: row.last_response,
    }),
  )
}

async function countChosen(
  db: Kysely<StoreTables>,
  choice: Parameters<LeadPages['count']>[0],
): Promise<number> {
  const { n } = await db
    .selectFrom('leads')
    .leftJoin('deliveries', 'deliveries.lead_id', 'leads.id')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where((eb) => isChosen(eb, choice))
    .executeTakeFirstOrThrow()
  return n
}
