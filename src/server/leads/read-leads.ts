import type { Kysely } from 'kysely'
import type { AttemptReason, OutcomeName } from '#domain/delivery/outcome.ts'
import { findCampaign, findSource } from '#domain/lead/attribution.ts'
import type { LeadDetails, LeadRecord } from '#domain/lead/lead-details.ts'
import { emptyFilter, type LeadFilter } from '#domain/lead/lead-filter.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { countLeads } from './count-leads.ts'
import { findLeads, type LeadSearch } from './find-leads.ts'
import { findLeadNotifications, findMissingPostback } from './lead-notifications.ts'
import { findCorrections, selectLeadRecords, toRecord } from './lead-row.ts'

export type LeadWithLastAttempt = LeadRecord<{
  readonly attempts: number
  readonly lastOutcome: OutcomeName | null
  /** Our code for why the last attempt did not deliver; null if no reason is known. */
  readonly lastReason: AttemptReason | null
  readonly lastResponse: string | null
  /** How the last attempt failed, in one word, as in the filter. */
  readonly lastError: string | null
}>

export const makeLeadReader = ({ db, patient }: Pick<LeadDatabase, 'db' | 'patient'>) => ({
  /** A page of the leads that match a filter, newest first unless `towards` is `newer`. */
  page: ({ filter, ...search }: PageSearch) =>
    readLeadPage(db, {
      keys: undefined,
      towards: 'older',
      filter: { ...emptyFilter, ...filter },
      ...search,
    }),
  /** Leads by id, in the order of the ids; unknown ids are left out. */
  read: (ids: readonly string[], now: number) => readLeads(db, ids, now),
  find: (id: string, now: number) => findLead(db, id, now),
  /** The ids of the leads that repeat the lead (reading 18), oldest first, at most `take`. */
  findRepeats: (id: string, take: number) => findRepeats(db, id, take),
  /** The affiliate that a lead is credited to; undefined if the lead does not exist. */
  affiliateOf: (id: string) => findAffiliate(db, id),
  stats: (now: number) => countLeads(patient, now),
})

export type LeadReader = ReturnType<typeof makeLeadReader>

type PageSearch = Pick<LeadSearch, 'now' | 'take'> &
  Partial<Omit<LeadSearch, 'filter'>> & { readonly filter?: Partial<LeadFilter> }

/** The most leads in one statement: each takes one parameter, and SQLite allows 32,766 per statement. */
const maxAtOnce = 1000

/** Reads a full page, unless no more leads match. Several limited searches may fill one page. */
async function readLeadPage(
  db: Kysely<StoreTables>,
  search: LeadSearch,
): Promise<readonly LeadWithLastAttempt[]> {
  const page: LeadWithLastAttempt[] = []
  let { after, take } = search
  do {
    const rest = { ...search, after, take: Math.min(take, maxAtOnce) }
    const found = await findLeads(db, rest)
    const ids = found.leads.map(({ id }) => id)
    page.push(...(await readLeads(db, ids, search.now)))
    after = found.next
    take -= ids.length
  } while (after !== undefined && take > 0)
  return page
}

async function readLeads(
  db: Kysely<StoreTables>,
  ids: readonly string[],
  now: number,
): Promise<readonly LeadWithLastAttempt[]> {
  if (ids.length === 0) return []
  const rows = await selectLeadRecords(db)
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
    .select(['last.outcome as last_outcome', 'last.reason as last_reason'])
    .select(['last.detail as last_response', 'lead_index.error'])
    .where('leads.id', 'in', ids)
    .execute()
  const corrections = await findCorrections(db, ids)
  const rowOf = new Map(rows.map((row) => [row.lead_id, row]))
  return ids
    .flatMap((id) => rowOf.get(id) ?? [])
    .map((row) =>
      toRecord(
        row,
        { now, corrections },
        {
          attempts: row.attempts ?? 0,
          lastOutcome: row.last_outcome,
          lastReason: row.last_reason,
          lastResponse: row.last_response,
          lastError: row.error,
        },
      ),
    )
}

/** A lead in a list. An erased or unreadable lead lacks most answers, and an erased lead its email address, too. */
export const toLeadSummary = ({
  lead,
  status,
  delivery,
  returned,
  ...record
}: LeadWithLastAttempt) => {
  const answers = 'firstName' in lead ? lead : undefined
  return {
    id: lead.id,
    receivedAt: lead.receivedAt,
    area: lead.area,
    name: answers ? `${answers.firstName} ${answers.lastName}` : '',
    email: 'email' in lead ? lead.email : '',
    programName: ('program' in lead && lead.program?.name) || '',
    state: answers?.state ?? null,
    affiliate: answers?.subId ?? null,
    source: findSource(answers?.attribution ?? null),
    campaign: findCampaign(answers?.attribution ?? null),
    isVerified: answers?.addressVerified ?? null,
    isUnreadable: 'unreadable' in lead,
    status,
    attempts: delivery?.attempts ?? 0,
    error: delivery?.lastError ?? null,
    isHeld: Boolean(delivery?.held),
    isReturned: returned !== null,
    signals: record.signals,
    corrects: record.corrects,
    correctedBy: record.correctedBy,
  }
}

export type LeadSummary = ReturnType<typeof toLeadSummary>

async function findLead(
  db: Kysely<StoreTables>,
  id: string,
  now: number,
): Promise<LeadDetails | undefined> {
  const row = await selectLeadRecords(db).where('leads.id', '=', id).executeTakeFirst()
  if (row === undefined) return undefined
  const attempts = row.delivery_id === null ? [] : await findAttempts(db, row.delivery_id)
  const corrections = await findCorrections(db, [id])
  const notifications = await findLeadNotifications(db, id)
  const isAnswered = row.settled_as === 'delivered' || row.settled_as === 'rejected'
  const noPostback =
    isAnswered && row.erased_at === null ? await findMissingPostback(db, id) : undefined
  return toRecord(row, { now, corrections }, { attempts, notifications, noPostback })
}

async function findAffiliate(db: Kysely<StoreTables>, id: string) {
  const row = await db
    .selectFrom('lead_index')
    .select('affiliate')
    .where('lead_id', '=', id)
    .executeTakeFirst()
  return row && { subId: row.affiliate ?? undefined }
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
