import type { Kysely } from 'kysely'
import type { LeadArchive, LeadSummary } from '#server/use-cases/leads/read-leads.ts'
import type { StoreTables } from '../store-tables.ts'
import { findCorrections } from './find-corrections.ts'
import { isChosen, type LeadPlace, liesBeyond, orderOf } from './lead-choice.ts'
import { readErasedPayload, readPayload } from './lead-payload.ts'
import { leadStatus, readSignals, statusColumns } from './lead-status.ts'

export async function listLeads(
  db: Kysely<StoreTables>,
  { before, take, ...choice }: Parameters<LeadArchive['list']>[0],
): Promise<readonly LeadSummary[]> {
  const place = before === undefined ? undefined : await findPlace(db, before)
  if (before !== undefined && place === undefined) return []
  const [time, id] = orderOf(choice.status)
  const rows = await db
    .selectFrom('leads')
    .leftJoin('deliveries', 'deliveries.lead_id', 'leads.id')
    .select(['leads.id', 'leads.received_at', 'leads.area', 'leads.email', 'leads.payload'])
    .select(['leads.signals', 'leads.corrects'])
    .select([...statusColumns, 'deliveries.attempts'])
    .where((eb) => isChosen(eb, choice))
    .where((eb) => liesBeyond(eb, place, { status: choice.status, towards: 'older' }))
    .orderBy(time, 'desc')
    .orderBy(id, 'desc')
    .limit(take)
    .execute()
  const corrections = await findCorrections(
    db,
    rows.map((row) => row.id),
  )
  return rows.map((row) => ({
    id: row.id,
    receivedAt: row.received_at,
    area: row.area,
    name: row.erased_at === null ? nameOf(row.payload) : '',
    email: row.email,
    programName: readErasedPayload(row.payload).program.name,
    status: leadStatus(row, choice.now),
    attempts: row.attempts ?? 0,
    signals: readSignals(row.signals),
    corrects: row.corrects,
    correctedBy: corrections.get(row.id) ?? [],
  }))
}

async function findPlace(db: Kysely<StoreTables>, id: string): Promise<LeadPlace | undefined> {
  return db
    .selectFrom('leads')
    .select(['id', 'received_at as receivedAt'])
    .where('id', '=', id)
    .executeTakeFirst()
}

function nameOf(payload: string): string {
  const { firstName, lastName } = readPayload(payload)
  return `${firstName} ${lastName}`
}
