import type { Kysely, Selectable } from 'kysely'
import type { ErasedLead, Lead } from '#domain/lead/lead.ts'
import type { StoreTables } from '../store-tables.ts'

/** What of a lead has no column of its own. */
export type LeadPayload = Omit<Lead, 'id' | 'receivedAt' | 'area' | 'email' | 'consent'>

/** What of it stays when the lead is erased. */
export type ErasedPayload = Pick<LeadPayload, 'program'>

export function payloadOf(lead: Lead): string {
  const { id, receivedAt, area, email, consent, ...payload } = lead
  return JSON.stringify(payload satisfies LeadPayload)
}

export const erasedPayloadOf = (payload: string): string =>
  JSON.stringify({ program: readPayload(payload).program } satisfies ErasedPayload)

export const readPayload = (payload: string): LeadPayload => JSON.parse(payload)

export const readErasedPayload = (payload: string): ErasedPayload => JSON.parse(payload)

/** Leads whole, with the consent and the disclosure's words, erased ones too: see {@link toStoredLead}. */
export function selectStoredLeads(db: Kysely<StoreTables>) {
  return db
    .selectFrom('leads')
    .innerJoin('consents', 'consents.lead_id', 'leads.id')
    .innerJoin('disclosures', 'disclosures.hash', 'consents.disclosure_hash')
    .select([
      'leads.id as lead_id',
      'leads.received_at',
      'leads.area',
      'leads.email',
      'leads.payload',
      'leads.duplicate_of',
      'leads.erased_at',
      'consents.disclosure_hash',
      'consents.agreed_at',
      'consents.ip',
      'consents.user_agent',
      'consents.page_url',
      'disclosures.text as disclosure_text',
    ])
}

/** Those that may be sent: see {@link toLead}. */
export const selectLeads = (db: Kysely<StoreTables>) =>
  selectStoredLeads(db).where('leads.erased_at', 'is', null)

type LeadRow = Pick<
  Selectable<StoreTables['leads']>,
  'received_at' | 'area' | 'email' | 'payload'
> &
  Omit<Selectable<StoreTables['consents']>, 'lead_id'> & {
    readonly lead_id: string
    readonly disclosure_text: string
  }

export function toLead(row: LeadRow): Lead {
  return {
    id: row.lead_id,
    receivedAt: row.received_at,
    area: row.area,
    email: row.email,
    ...readPayload(row.payload),
    consent: {
      text: row.disclosure_text,
      textHash: row.disclosure_hash,
      at: row.agreed_at,
      ip: row.ip,
      userAgent: row.user_agent,
      pageUrl: row.page_url,
    },
  }
}

export function toStoredLead(
  row: LeadRow & { readonly erased_at: number | null },
): Lead | ErasedLead {
  if (row.erased_at === null) return toLead(row)
  return {
    id: row.lead_id,
    receivedAt: row.received_at,
    area: row.area,
    program: readErasedPayload(row.payload).program,
    erasedAt: row.erased_at,
  }
}
