import type { Lead } from '#domain/lead/lead.ts'
import type { Cell } from './csv-line.ts'
import type { ExportedLead } from './exported-lead.ts'

interface ExportColumn {
  readonly name: string
  readonly read: (exported: ExportedLead) => Cell
}

/** In the order of the file. Columns are added at the end, so that an operator's script goes on working. */
export const exportColumns: readonly ExportColumn[] = [
  column('id', ({ lead }) => lead.id),
  column('received_at', ({ lead }) => time(lead.receivedAt)),
  column('status', ({ status }) => status),
  column('area', ({ lead }) => lead.area),
  column(
    'affiliate',
    said(({ subId }) => subId),
  ),
  column(
    'first_name',
    said(({ firstName }) => firstName),
  ),
  column(
    'last_name',
    said(({ lastName }) => lastName),
  ),
  column(
    'phone',
    said(({ phone }) => phone),
  ),
  column(
    'email',
    said(({ email }) => email),
  ),
  column(
    'street',
    said(({ street }) => street),
  ),
  column(
    'city',
    said(({ city }) => city),
  ),
  column(
    'state',
    said(({ state }) => state),
  ),
  column(
    'zip',
    said(({ zip }) => zip),
  ),
  column(
    'zip_plus_4',
    said(({ zipPlus4 }) => zipPlus4),
  ),
  column(
    'address_verified',
    said(({ addressVerified }) => addressVerified),
  ),
  column(
    'education_level_id',
    said(({ educationLevelId }) => educationLevelId),
  ),
  column(
    'graduating_year',
    said(({ graduatingYear }) => graduatingYear),
  ),
  column('program_id', ({ lead }) => lead.program.id),
  column('program_name', ({ lead }) => lead.program.name),
  column(
    'start_date_id',
    said(({ startDateId }) => startDateId),
  ),
  column('consent_at', ({ lead }) => time(lead.consent?.at)),
  column('consent_page', ({ lead }) => lead.consent?.pageUrl || null),
  column('consent_ip', ({ lead }) => lead.consent?.ip || null),
  column('consent_user_agent', ({ lead }) => lead.consent?.userAgent || null),
  column('consent_text_sha256', ({ lead }) => lead.consent?.textHash ?? null),
  column('duplicate_of', ({ duplicateOf }) => duplicateOf),
  column('erased_at', ({ lead }) => ('erasedAt' in lead ? time(lead.erasedAt) : null)),
  column('delivery_id', ({ delivery }) => delivery?.id ?? null),
  column('delivery_settled_as', ({ delivery }) => delivery?.settledAs ?? null),
  column('delivery_settled_at', ({ delivery }) => time(delivery?.settledAt)),
  column('delivery_attempts', ({ delivery }) => delivery?.attempts ?? null),
  column('delivery_last_outcome', ({ delivery }) => delivery?.lastOutcome ?? null),
  column('delivery_next_attempt_at', ({ delivery }) => time(delivery?.nextAttemptAt)),
  column('gpc', ({ lead }) => lead.gpc),
  column('erased_by', ({ lead }) => ('erasedBy' in lead ? lead.erasedBy : null)),
  column('signals', ({ signals }) => signals.join(' ') || null),
  column('quarantined_at', ({ quarantinedAt }) => time(quarantinedAt)),
  column('released_at', ({ releasedAt }) => time(releasedAt)),
  column('corrects', ({ corrects }) => corrects),
  column('corrected_by', ({ correctedBy }) => correctedBy.join(' ') || null),
]

function column(name: string, read: ExportColumn['read']): ExportColumn {
  return { name, read }
}

/** What the visitor said: empty once the lead is erased. */
function said(read: (lead: Lead) => Cell): ExportColumn['read'] {
  return ({ lead }) => ('erasedAt' in lead ? null : read(lead))
}

const time = (at: number | null | undefined): string | null =>
  typeof at === 'number' ? new Date(at).toISOString() : null
