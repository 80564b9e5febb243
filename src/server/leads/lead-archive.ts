import type { Kysely } from 'kysely'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { countLeads, countUnreadable } from './count-leads.ts'
import { isBeyond, isChosen, type LeadPlace } from './lead-pages.ts'
import { orUnreadable, readErasedPayload, readPayload } from './lead-payload.ts'
import { findCorrections, recordColumns, selectStoredLeads, toRecord } from './lead-row.ts'
import { leadStatus, readSignals, statusColumns } from './lead-status.ts'
import type { LeadArchive, LeadDetails, LeadSummary } from './read-leads.ts'
import { findEndings } from './store/delivery-endings.ts'

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
    .innerJoin('lead_index', 'lead_index.lead_id', 'leads.id')
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

export async function listLeads(
  db: Kysely<StoreTables>,
  { before, take, ...choice }: Parameters<LeadArchive['list']>[0],
): Promise<readonly LeadSummary[]> {
  const place = before === undefined ? undefined : await findPlace(db, before)
  if (before !== undefined && place === undefined) return []
  const listed = db
    .selectFrom('leads')
    .innerJoin('lead_index', 'lead_index.lead_id', 'leads.id')
    .leftJoin('deliveries', 'deliveries.lead_id', 'leads.id')
    .select(['leads.id', 'leads.received_at', 'leads.area', 'leads.email', 'leads.payload'])
    .select(['leads.signals', 'leads.corrects', 'leads.erased_at'])
    .select([...statusColumns, 'deliveries.attempts'])
    .where((eb) => isChosen(eb, choice))
    .where((eb) => isBeyond(eb, place, 'older'))
    .orderBy('lead_index.received_at', 'desc')
    .orderBy('lead_index.lead_id', 'desc')
    .limit(take)
    .execute()
  // With given ids both queries run at once; otherwise the second waits for the rows.
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

/** The ids of the leads that repeat one (reading 18), the first first, at most `take`. */
export async function findRepetitions(
  db: Kysely<StoreTables>,
  leadId: string,
  take: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('leads')
    .select('id')
    .where('duplicate_of', '=', leadId)
    .orderBy('received_at')
    .orderBy('id')
    .limit(take)
    .execute()
  return rows.map(({ id }) => id)
}
