import type { Kysely } from 'kysely'
import type { Consent, ErasedLead, Lead, UnreadableLead } from '#domain/lead/lead.ts'
import type { DeliveryState, LeadRecord } from '#domain/lead/lead-details.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { catchUnreadable, parseErasedPayload, parsePayload } from './lead-payload.ts'
import { findLeadStatus, heldCondition, parseAbuseSignals, statusColumns } from './lead-status.ts'

const columns = [
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
export const selectLeadRecords = (db: Kysely<StoreTables>) =>
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
    .select(columns)
    .select(statusColumns)
    .select(['leads.quarantined_at', 'leads.released_at', 'leads.signals'])
    .select(['deliveries.id as delivery_id', 'deliveries.attempts', 'deliveries.next_at'])
    .select(['deliveries.settled_as', 'deliveries.settled_at', 'deliveries.settled_by_hand_at'])
    .select(['deliveries.restored_at', 'returns.returned_at', 'returns.reason as return_reason'])
    .select(['held_deliveries.because', 'held_deliveries.cap_id'])

type RecordRow = Awaited<
  ReturnType<ReturnType<typeof selectLeadRecords>['executeTakeFirstOrThrow']>
>

/** Selects the rows of leads that may be sent, for {@link toLead}. */
export const selectLeads = (db: Kysely<StoreTables>) =>
  db
    .selectFrom('leads')
    .innerJoin('consents', 'consents.lead_id', 'leads.id')
    .innerJoin('disclosures', 'disclosures.hash', 'consents.disclosure_hash')
    .select(columns)
    .where('leads.erased_at', 'is', null)

type LeadRow = Awaited<ReturnType<ReturnType<typeof selectLeads>['executeTakeFirstOrThrow']>>

/** @throws UnreadableLeadError */
export const toLead = (row: LeadRow): Lead => ({
  id: row.lead_id,
  receivedAt: row.received_at,
  area: row.area,
  email: row.email,
  ...parsePayload(row.payload),
  consent: toConsent(row),
})

const toConsent = (row: LeadRow): Consent => ({
  text: row.disclosure_text,
  textHash: row.disclosure_hash,
  at: row.agreed_at,
  ip: row.ip,
  userAgent: row.user_agent,
  pageUrl: row.page_url,
})

function toStoredLead(row: RecordRow): Lead | ErasedLead | UnreadableLead {
  // A lead and its consent are stored together; retention eventually removes the consent.
  const withConsent = row.disclosure_hash === null ? undefined : (row as LeadRow)
  const { lead_id: id, received_at: receivedAt, area, erased_at: erasedAt } = row
  const consent = withConsent === undefined ? null : toConsent(withConsent)
  if (erasedAt === null) {
    return catchUnreadable(
      () => toLead(row as LeadRow),
      (unreadable) => ({ id, receivedAt, area, email: row.email, unreadable, consent }),
    )
  }
  const erasedBy = row.erased_by ?? 'request'
  return { id, receivedAt, area, ...parseErasedPayload(row.payload), erasedAt, erasedBy, consent }
}

interface Reading {
  /** Epoch milliseconds. */
  readonly now: number
  readonly corrections: Corrections
}

/** @param more details to add to the delivery */
export const toRecord = <More>(
  row: RecordRow,
  { now, corrections }: Reading,
  more: More,
): LeadRecord<More> => ({
  lead: toStoredLead(row),
  status: findLeadStatus(row, now),
  duplicateOf: row.duplicate_of,
  corrects: row.corrects,
  correctedBy: corrections.get(row.lead_id) ?? [],
  signals: parseAbuseSignals(row.signals),
  quarantinedAt: row.quarantined_at,
  releasedAt: row.released_at,
  delivery: row.delivery_id === null ? null : { ...toDeliveryState(row, row.delivery_id), ...more },
  returned: row.returned_at === null ? null : { at: row.returned_at, reason: row.return_reason },
})

const toDeliveryState = (row: RecordRow, id: string): DeliveryState => ({
  id,
  settledAs: row.settled_as,
  settledAt: row.settled_at,
  isSettledByHand: row.settled_at !== null && row.settled_at === row.settled_by_hand_at,
  restoredAt: row.restored_at,
  nextAttemptAt: row.settled_as === null ? row.next_at : null,
  held:
    row.because === null || row.cap_id === null
      ? null
      : { because: row.because, capId: row.cap_id },
})

/** For each corrected lead, the ids of the leads that correct it (reading 23), oldest first. */
export type Corrections = ReadonlyMap<string, readonly string[]>

export async function findCorrections(
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
