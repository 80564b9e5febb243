import type { Kysely } from 'kysely'
import { findCampaign, findSource } from '#domain/lead/attribution.ts'
import type { Consent, ErasedLead, Lead, UnreadableLead } from '#domain/lead/lead.ts'
import { emptyFilter, type LeadFilter } from '#domain/lead/lead-filter.ts'
import { toReference } from '#domain/lead/reference.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { findLeads, type LeadSearch } from './find-leads.ts'
import { explainMissingPostback, findLeadNotifications } from './lead-notifications.ts'
import { parseFieldsKeptAfterErasure, readPayload } from './lead-payload.ts'
import { readLeadStats } from './lead-stats.ts'
import { findLeadStatus, heldCondition, parseAbuseSignals, statusColumns } from './lead-status.ts'

export type LeadWithLastAttempt = Awaited<ReturnType<typeof readLeads>>[number]

/** A lead with its consent, its delivery with all attempts, and its notifications. Times are epoch milliseconds. */
export type LeadDetails = NonNullable<Awaited<ReturnType<typeof findLead>>>

export const makeLeadReader = ({
  db,
  longQueryDb,
  zone,
}: Pick<LeadDatabase, 'db' | 'longQueryDb' | 'zone'>) => ({
  zone,
  /** Reads a page of the leads that match a filter, newest first unless `towards` is `newer`. */
  page: ({ filter, ...search }: PageSearch) =>
    readLeadPage(db, {
      keys: undefined,
      towards: 'older',
      filter: { ...emptyFilter, ...filter },
      ...search,
    }),
  /** Reads leads by id, in the order of the ids; unknown ids are left out. */
  read: (ids: readonly string[], now: number) => readLeads(db, ids, now),
  find: (id: string, now: number) => findLead(db, id, now),
  /** Finds the ids of a lead's duplicates, oldest first, at most `take`. */
  findRepeats: async (id: string, take: number): Promise<readonly string[]> => {
    const rows = await db
      .selectFrom('leads')
      .select('id')
      .where('duplicate_of', '=', id)
      .orderBy('received_at')
      .orderBy('id')
      .limit(take)
      .execute()
    return rows.map((row) => row.id)
  },
  /** Finds the affiliate id that a lead came with; undefined if the lead does not exist. */
  affiliateOf: async (id: string) => {
    const row = await db
      .selectFrom('lead_index')
      .select('affiliate')
      .where('lead_id', '=', id)
      .executeTakeFirst()
    return row && { subId: row.affiliate ?? undefined }
  },
  stats: (now: number) => readLeadStats(longQueryDb, now),
})

export type LeadReader = ReturnType<typeof makeLeadReader>

type PageSearch = Pick<LeadSearch, 'now' | 'take'> &
  Partial<Omit<LeadSearch, 'filter'>> & { readonly filter?: Partial<LeadFilter> }

/** The most leads in one statement: each takes one parameter, and SQLite allows 32,766 per statement. */
const maxAtOnce = 1000

/** Reads a full page of leads, unless fewer match. One search is limited, so a page may need several searches. */
async function readLeadPage(db: Kysely<StoreTables>, search: LeadSearch) {
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

async function readLeads(db: Kysely<StoreTables>, ids: readonly string[], now: number) {
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
    .select(['last.detail as last_response', 'lead_index.error', 'lead_index.error_group'])
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
          /** Our code for the reason why the last attempt failed; null if no reason is known. */
          lastReason: row.last_reason,
          lastResponse: row.last_response,
          /** How the last attempt failed, in one word, as in the filter *Last error*. */
          lastError: row.error,
          errorGroup: row.error_group,
        },
      ),
    )
}

/** Makes the summary of a lead for a list. Erased and unreadable leads lack most answers. */
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
    reference: toReference(lead.id),
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

async function findLead(db: Kysely<StoreTables>, id: string, now: number) {
  const row = await selectLeadRecords(db).where('leads.id', '=', id).executeTakeFirst()
  if (row === undefined) return undefined
  const attempts = row.delivery_id === null ? [] : await findAttempts(db, row.delivery_id)
  const corrections = await findCorrections(db, [id])
  const notifications = await findLeadNotifications(db, id)
  const isAnswered = row.settled_as === 'delivered' || row.settled_as === 'rejected'
  /** Why no affiliate got a postback about the distributor's answer; undefined if one did, or if there is no answer. */
  const noPostback =
    isAnswered && row.erased_at === null ? await explainMissingPostback(db, id) : undefined
  const record = toRecord(row, { now, corrections }, { attempts, noPostback })
  return { ...record, notifications }
}

async function findAttempts(db: Kysely<StoreTables>, deliveryId: string) {
  const rows = await db
    .selectFrom('attempts')
    .select(['started_at as startedAt', 'duration_ms as durationMs', 'outcome', 'reason'])
    .select(['http_status as httpStatus', 'error_code as code', 'detail as said'])
    .select('retry_after_ms as retryAfterMs')
    .where('delivery_id', '=', deliveryId)
    .orderBy('started_at')
    .orderBy('id')
    .execute()
  return rows.map((row, index) => ({ number: index + 1, ...row }))
}

const leadRowColumns = [
  'leads.id as lead_id',
  'leads.received_at',
  'leads.area',
  'leads.email',
  'leads.payload',
  'leads.duplicate_of',
  'leads.corrects',
  'leads.erased_at',
  'leads.erased_by',
  'consents.disclosure_hash',
  'consents.agreed_at',
  'consents.ip',
  'consents.user_agent',
  'consents.page_url',
  'disclosures.text as disclosure_text',
] as const

/** Selects the rows of leads, including erased leads, for {@link toRecord}. */
const selectLeadRecords = (db: Kysely<StoreTables>) =>
  db
    .selectFrom('leads')
    .leftJoin('consents', 'consents.lead_id', 'leads.id')
    .leftJoin('disclosures', 'disclosures.hash', 'consents.disclosure_hash')
    .innerJoin('lead_index', 'lead_index.lead_id', 'leads.id')
    .leftJoin('deliveries', 'deliveries.lead_id', 'leads.id')
    .leftJoin('returns', 'returns.lead_id', 'leads.id')
    .leftJoin('held_deliveries', (join) =>
      join.onRef('held_deliveries.delivery_id', '=', 'deliveries.id').on(heldCondition),
    )
    .select(leadRowColumns)
    .select(statusColumns)
    .select([
      'leads.quarantined_at',
      'leads.released_at',
      'leads.released_despite',
      'leads.signals',
    ])
    .select(['deliveries.id as delivery_id', 'deliveries.attempts', 'deliveries.next_at'])
    .select(['deliveries.settled_as', 'deliveries.settled_at', 'deliveries.settled_by_hand_at'])
    .select(['deliveries.restored_at', 'returns.returned_at', 'returns.reason as return_reason'])
    .select(['held_deliveries.because', 'held_deliveries.cap_id'])

type RecordRow = Awaited<
  ReturnType<ReturnType<typeof selectLeadRecords>['executeTakeFirstOrThrow']>
>

/** Selects the rows of leads that may be sent, for {@link toLead}. */
export const selectSendableLeads = (db: Kysely<StoreTables>) =>
  db
    .selectFrom('leads')
    .innerJoin('consents', 'consents.lead_id', 'leads.id')
    .innerJoin('disclosures', 'disclosures.hash', 'consents.disclosure_hash')
    .select(leadRowColumns)
    .where('leads.erased_at', 'is', null)

type LeadRow = Awaited<
  ReturnType<ReturnType<typeof selectSendableLeads>['executeTakeFirstOrThrow']>
>

export function toLead(row: LeadRow): Lead | UnreadableLead {
  const { lead_id: id, received_at: receivedAt, area, email } = row
  const { answers, unreadable } = readPayload(row.payload)
  const known = { id, receivedAt, area, email, consent: toConsent(row) }
  return unreadable === undefined ? { ...known, ...answers } : { ...known, unreadable }
}

const toConsent = (row: LeadRow): Consent => ({
  text: row.disclosure_text,
  textHash: row.disclosure_hash,
  at: row.agreed_at,
  ip: row.ip,
  userAgent: row.user_agent,
  pageUrl: row.page_url,
})

function toStoredLead(row: RecordRow): Lead | ErasedLead | UnreadableLead {
  const { lead_id: id, received_at: receivedAt, area, erased_at: erasedAt } = row
  // Only an erased lead may lack its consent, which retention eventually removes.
  if (erasedAt === null) return toLead(row as LeadRow)
  const consent = row.disclosure_hash === null ? null : toConsent(row as LeadRow)
  const erasedBy = row.erased_by ?? 'request'
  return {
    id,
    receivedAt,
    area,
    ...parseFieldsKeptAfterErasure(row.payload),
    erasedAt,
    erasedBy,
    consent,
  }
}

/** @param now epoch milliseconds @param more details to add to the delivery */
const toRecord = <More>(
  row: RecordRow,
  { now, corrections }: { readonly now: number; readonly corrections: Corrections },
  more: More,
) => ({
  lead: toStoredLead(row),
  status: findLeadStatus(row, now),
  duplicateOf: row.duplicate_of,
  /** If the lead is a correction, the id of the first lead under the same idempotency key (reading 23). */
  corrects: row.corrects,
  correctedBy: corrections.get(row.lead_id) ?? [],
  signals: parseAbuseSignals(row.signals),
  quarantinedAt: row.quarantined_at,
  releasedAt: row.released_at,
  releasedDespite: row.released_despite,
  delivery: row.delivery_id === null ? null : { ...toDeliveryState(row, row.delivery_id), ...more },
  /** When and why the distributor took back the accepted lead; the reason is null if it is unknown or erased. */
  returned: row.returned_at === null ? null : { at: row.returned_at, reason: row.return_reason },
})

const toDeliveryState = (row: RecordRow, id: string) => ({
  id,
  settledAs: row.settled_as,
  settledAt: row.settled_at,
  isSettledByHand: row.settled_at !== null && row.settled_at === row.settled_by_hand_at,
  /** When a backup was restored that contained this open delivery, which may have been sent since the backup. */
  restoredAt: row.restored_at,
  /** The time of the next attempt; null once the delivery is settled. */
  nextAttemptAt: row.settled_as === null ? row.next_at : null,
  /** Why a cap holds the delivery until `nextAttemptAt`; null if no cap holds it. */
  held:
    row.because === null || row.cap_id === null
      ? null
      : { because: row.because, capId: row.cap_id },
})

/** For each corrected lead, the ids of the leads that correct it (reading 23), oldest first. */
type Corrections = ReadonlyMap<string, readonly string[]>

async function findCorrections(
  db: Kysely<StoreTables>,
  leadIds: readonly string[],
): Promise<Corrections> {
  const correctionsOf = new Map<string, string[]>()
  if (leadIds.length === 0) return correctionsOf
  const rows = await db
    .selectFrom('leads')
    .select(['id', 'corrects'])
    .where('corrects', 'in', leadIds)
    .orderBy('received_at')
    .orderBy('id')
    .execute()
  for (const { id, corrects } of rows) {
    if (corrects !== null) correctionsOf.set(corrects, [...(correctionsOf.get(corrects) ?? []), id])
  }
  return correctionsOf
}
