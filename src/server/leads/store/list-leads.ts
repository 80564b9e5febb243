import type { Kysely } from 'kysely'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { LeadArchive, LeadSummary } from '../read-leads.ts'
import { findCorrections } from './find-corrections.ts'
import { isChosen, type LeadPlace, liesBeyond, orderOf } from './lead-choice.ts'
import { orUnreadable, readErasedPayload, readPayload } from './lead-payload.ts'
import { leadStatus, readSignals, statusColumns } from './lead-status.ts'

export async function listLeads(
  db: Kysely<StoreTables>,
  { before, take, ...choice }: Parameters<LeadArchive['list']>[0],
): Promise<readonly LeadSummary[]> {
  const place = before === undefined ? undefined : await findPlace(db, before)
  if (before !== undefined && place === undefined) return []
  const [time, id] = orderOf(choice.status)
  const listed = db
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
  // Whose corrections are asked for is known before, or only then.
  const [rows, corrections] = await Promise.all([
    listed,
    choice.ids
      ? findCorrections(db, choice.ids)
      : listed.then((found) =>
          findCorrections(
            db,
            found.map(({ id }) => id),
          ),
        ),
  ])
  return rows.map((row) => ({
    id: row.id,
    receivedAt: row.received_at,
    area: row.area,
    email: row.email,
    ...(row.erased_at === null ? saidIn(row.payload) : leftIn(row.payload)),
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

const saidIn = (payload: string) =>
  orUnreadable(
    () => {
      const { firstName, lastName, program } = readPayload(payload)
      return { name: `${firstName} ${lastName}`, programName: program.name, isUnreadable: false }
    },
    () => ({ ...leftIn(payload), isUnreadable: true }),
  )

const leftIn = (payload: string) => ({
  name: '',
  programName: readErasedPayload(payload).program?.name ?? '',
  isUnreadable: false,
})
