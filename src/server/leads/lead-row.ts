import type { Kysely, Selectable } from 'kysely'
import type { Consent, ErasedBy, ErasedLead, Lead, UnreadableLead } from '#domain/lead/lead.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { orUnreadable, readErasedPayload, readPayload } from './lead-payload.ts'
import { leadStatus, readSignals, statusColumns } from './lead-status.ts'
import type { LeadRecord, OwedDelivery } from './read-leads.ts'

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

/** Leads with the consent and the disclosure's words, erased ones too: see {@link toStoredLead}. */
export const selectStoredLeads = (db: Kysely<StoreTables>) =>
  db
    .selectFrom('leads')
    .leftJoin('consents', 'consents.lead_id', 'leads.id')
    .leftJoin('disclosures', 'disclosures.hash', 'consents.disclosure_hash')
    .select(columns)

/** Those that may be sent: see {@link toLead}. */
export const selectLeads = (db: Kysely<StoreTables>) =>
  db
    .selectFrom('leads')
    .innerJoin('consents', 'consents.lead_id', 'leads.id')
    .innerJoin('disclosures', 'disclosures.hash', 'consents.disclosure_hash')
    .select(columns)
    .where('leads.erased_at', 'is', null)

type ConsentRow = Omit<Selectable<StoreTables['consents']>, 'lead_id'> & {
  readonly disclosure_text: string
}

type LeadRow = Pick<
  Selectable<StoreTables['leads']>,
  'received_at' | 'area' | 'email' | 'payload'
> & { readonly lead_id: string }

/** @throws UnreadableLeadError */
export function toLead(row: LeadRow & ConsentRow): Lead {
  return {
    id: row.lead_id,
    receivedAt: row.received_at,
    area: row.area,
    email: row.email,
    ...readPayload(row.payload),
    consent: toConsent(row),
  }
}

const toConsent = (row: ConsentRow): Consent => ({
  text: row.disclosure_text,
  textHash: row.disclosure_hash,
  at: row.agreed_at,
  ip: row.ip,
  userAgent: row.user_agent,
  pageUrl: row.page_url,
})

type StoredRow = LeadRow & {
  readonly erased_at: number | null
  readonly erased_by: ErasedBy | null
} & { readonly [Column in keyof ConsentRow]: ConsentRow[Column] | null }

export function toStoredLead(row: StoredRow): Lead | ErasedLead | UnreadableLead {
  if (row.erased_at === null) {
    return orUnreadable(
      // Stored together with its consent, which is deleted only after it.
      () => toLead(row as LeadRow & ConsentRow),
      (unreadable) => ({
        id: row.lead_id,
        receivedAt: row.received_at,
        area: row.area,
        email: row.email,
        unreadable,
        consent: hasConsent(row) ? toConsent(row) : null,
      }),
    )
  }
  return {
    id: row.lead_id,
    receivedAt: row.received_at,
    area: row.area,
    ...readErasedPayload(row.payload),
    erasedAt: row.erased_at,
    erasedBy: row.erased_by ?? 'request',
    consent: hasConsent(row) ? toConsent(row) : null,
  }
}

const hasConsent = (row: StoredRow): row is StoredRow & ConsentRow => row.disclosure_hash !== null

/** The columns of a record, where `leads` is joined with `lead_index` and `deliveries`. */
export const recordColumns = [
  ...statusColumns,
  'leads.quarantined_at',
  'leads.released_at',
  'leads.signals',
  'deliveries.id as delivery_id',
  'deliveries.settled_as',
  'deliveries.next_at',
  'deliveries.settled_at',
  'deliveries.settled_by_hand_at',
  'deliveries.restored_at',
] as const

type Row = Parameters<typeof toStoredLead>[0] &
  Parameters<typeof leadStatus>[0] &
  Pick<
    Selectable<StoreTables['leads']>,
    'duplicate_of' | 'corrects' | 'signals' | 'quarantined_at' | 'released_at'
  > & { readonly delivery_id: string | null } & {
    readonly [Column in
      | 'next_at'
      | 'settled_as'
      | 'settled_at'
      | 'settled_by_hand_at'
      | 'restored_at']: Selectable<StoreTables['deliveries']>[Column] | null
  }

interface Reading {
  /** Epoch milliseconds. */
  readonly now: number
  readonly corrections: Corrections
}

/** @param more details of its delivery beside its state */
export const toRecord = <More>(
  row: Row,
  { now, corrections }: Reading,
  more: More,
): LeadRecord<More> => ({
  lead: toStoredLead(row),
  status: leadStatus(row, now),
  duplicateOf: row.duplicate_of,
  corrects: row.corrects,
  correctedBy: corrections.get(row.lead_id) ?? [],
  signals: readSignals(row.signals),
  quarantinedAt: row.quarantined_at,
  releasedAt: row.released_at,
  delivery: row.delivery_id === null ? null : { ...owed(row, row.delivery_id), ...more },
})

const owed = (row: Row, id: string): OwedDelivery => ({
  id,
  settledAs: row.settled_as,
  settledAt: row.settled_at,
  isSettledByHand: row.settled_at !== null && row.settled_at === row.settled_by_hand_at,
  restoredAt: row.restored_at,
  nextAttemptAt: row.settled_as === null ? row.next_at : null,
})

/** The ids of the leads that correct each of some leads (reading 23), the first first; those without are left out. */
export type Corrections = ReadonlyMap<string, readonly string[]>

export async function findCorrections(
  db: Kysely<StoreTables>,
  leadIds: readonly string[],
): Promise<Corrections> {
  const found = new Map<string, string[]>()
  if (leadIds.length === 0) return found
  const rows = await db
    .selectFrom('leads')
    .select(['id', 'corrects'])
    .where('corrects', 'in', leadIds)
    .orderBy('received_at')
    .orderBy('id')
    .execute()
  for (const { id, corrects } of rows) {
    if (corrects !== null) found.set(corrects, [...(found.get(corrects) ?? []), id])
  }
  return found
}
