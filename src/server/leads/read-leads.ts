import type { Kysely } from 'kysely'
import type { Signal } from '#domain/abuse/signals.ts'
import type { Area } from '#domain/area.ts'
import type { OutcomeName } from '#domain/delivery/outcome.ts'
import type { ErasedBy } from '#domain/lead/lead.ts'
import type { LeadDetails } from '#domain/lead/lead-details.ts'
import type { LeadStatus } from '#domain/lead/lead-status.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { countLeads } from './count-leads.ts'
import type { LeadPlace } from './find-leads.ts'
import { isBeyond, isChosen } from './lead-pages.ts'
import { readErasedPayload, readOrUnreadable, readPayload } from './lead-payload.ts'
import { findCorrections, selectRecords, toRecord } from './lead-row.ts'
import { leadStatus, readSignals, statusColumns } from './lead-status.ts'

export interface LeadSummary {
  readonly id: string
  /** Epoch milliseconds. */
  readonly receivedAt: number
  readonly area: Area
  /** Name and email are empty for an erased lead, and the name is empty for an unreadable lead. */
  readonly name: string
  readonly email: string
  readonly programName: string
  readonly isUnreadable: boolean
  readonly status: LeadStatus
  readonly attempts: number
  readonly signals: readonly Signal[]
  readonly corrects: string | null
  readonly correctedBy: readonly string[]
}

export interface LeadStats {
  readonly leads: number
  readonly byStatus: Readonly<Record<LeadStatus, number>>
  /** Rejected leads that the distributor may accept next month, when its cap is reset. */
  readonly rejectedByCap: number
  /** Dead leads that were not sent because their stored data cannot be read. */
  readonly unreadable: number
  readonly deliveredThenErased: number
  readonly erasedBy: Readonly<Record<ErasedBy, number>>
  readonly attempts: number
  /** The number of attempts by outcome; outcomes without attempts are absent. */
  readonly attemptsByOutcome: Readonly<Partial<Record<OutcomeName, number>>>
  /** Attempts that followed an attempt with an unknown result: the distributor may hold this many duplicates. */
  readonly duplicatesPossiblySent: number
  /** The age of the oldest pending delivery, in milliseconds; null if no delivery is pending. */
  readonly oldestPendingAgeMs: number | null
}

export interface LeadChoice {
  /** The lead's status at the time `now`. */
  readonly status?: LeadStatus | undefined
  readonly area?: Area | undefined
  /** The ids of the leads to select: at least one, if given. */
  readonly ids?: readonly string[] | undefined
  /** Selects leads with an open delivery that was restored from a backup and may have been made since. */
  readonly isRestored?: boolean | undefined
  /** Selects leads that are dead because their stored data cannot be read. */
  readonly isUnreadable?: boolean | undefined
  /** Selects leads received at this time or later, in epoch milliseconds. */
  readonly since?: number | undefined
  /** Selects leads received before this time, in epoch milliseconds. */
  readonly until?: number | undefined
}

export const makeLeadArchive = ({ db, patient }: Pick<LeadDatabase, 'db' | 'patient'>) => ({
  list: (query: ListQuery) => retryConflicts(() => listLeads(patient, query)),
  find: (id: string, now: number) => retryConflicts(() => findLead(db, id, now)),
  /** The ids of the leads that repeat the lead (reading 18), oldest first, at most `take`. */
  findRepeats: (id: string, take: number) => retryConflicts(() => findRepeats(db, id, take)),
  /** The affiliate that a lead is credited to; undefined if the lead does not exist. */
  affiliateOf: (id: string) => retryConflicts(() => findAffiliate(db, id)),
  stats: (now: number) => retryConflicts(() => countLeads(patient, now)),
})

export type LeadArchive = ReturnType<typeof makeLeadArchive>

/** A list of leads, newest first, that starts after the lead `before` if it is given. */
export interface ListQuery extends LeadChoice {
  readonly now: number
  readonly before?: string | undefined
  readonly take: number
}

async function findLead(
  db: Kysely<StoreTables>,
  id: string,
  now: number,
): Promise<LeadDetails | undefined> {
  const row = await selectRecords(db).where('leads.id', '=', id).executeTakeFirst()
  if (row === undefined) return undefined
  const attempts = row.delivery_id === null ? [] : await findAttempts(db, row.delivery_id)
  const corrections = await findCorrections(db, [id])
  return toRecord(row, { now, corrections }, { attempts })
}

async function findAffiliate(db: Kysely<StoreTables>, id: string) {
  const row = await db
    .selectFrom('leads')
    .select(['payload', 'erased_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return undefined
  if (row.erased_at !== null) return { subId: undefined }
  return readOrUnreadable(
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

async function listLeads(
  db: Kysely<StoreTables>,
  { before, take, ...choice }: ListQuery,
): Promise<readonly LeadSummary[]> {
  const startPlace = before === undefined ? undefined : await findPlace(db, before)
  if (before !== undefined && startPlace === undefined) return []
  const rows = await db
    .selectFrom('leads')
    .innerJoin('lead_index', 'lead_index.lead_id', 'leads.id')
    .leftJoin('deliveries', 'deliveries.lead_id', 'leads.id')
    .select(['leads.id', 'leads.received_at', 'leads.area', 'leads.email', 'leads.payload'])
    .select(['leads.signals', 'leads.corrects', 'leads.erased_at'])
    .select([...statusColumns, 'deliveries.attempts'])
    .where((eb) => isChosen(eb, choice))
    .where((eb) => isBeyond(eb, startPlace, 'older'))
    .orderBy('lead_index.received_at', 'desc')
    .orderBy('lead_index.lead_id', 'desc')
    .limit(take)
    .execute()
  const corrections = await findCorrections(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({
    id: row.id,
    receivedAt: row.received_at,
    area: row.area,
    email: row.email,
    ...(row.erased_at === null ? answersIn(row.payload) : erasedFactsIn(row.payload)),
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

const answersIn = (payload: string) =>
  readOrUnreadable(
    () => {
      const { firstName, lastName, program } = readPayload(payload)
      return { name: `${firstName} ${lastName}`, programName: program.name, isUnreadable: false }
    },
    () => ({ ...erasedFactsIn(payload), isUnreadable: true }),
  )

const erasedFactsIn = (payload: string) => ({
  name: '',
  programName: readErasedPayload(payload).program?.name ?? '',
  isUnreadable: false,
})

async function findRepeats(
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
