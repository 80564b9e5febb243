import type { Consent, ErasedLead, Lead } from '#domain/lead/lead.ts'
import type { Cell } from './csv-line.ts'
import type { ExportedLead } from './exported-lead.ts'

type Reader = (exported: ExportedLead) => Cell

/** In the order of the file. Columns are added at the end, so that an operator's script goes on working. */
const columns = {
  id: kept('id', itself),
  received_at: kept('receivedAt', time),
  status: told(({ status }) => status),
  area: kept('area', itself),
  affiliate: said('subId'),
  first_name: said('firstName'),
  last_name: said('lastName'),
  phone: said('phone'),
  email: said('email'),
  street: said('street'),
  city: said('city'),
  state: said('state'),
  zip: said('zip'),
  zip_plus_4: said('zipPlus4'),
  address_verified: said('addressVerified'),
  education_level_id: said('educationLevelId'),
  graduating_year: said('graduatingYear'),
  program_id: kept('program', ({ id }) => id),
  program_name: kept('program', ({ name }) => name),
  start_date_id: said('startDateId'),
  consent_at: agreed('at', time),
  consent_page: agreed('pageUrl', itself),
  consent_ip: agreed('ip', itself),
  consent_user_agent: agreed('userAgent', itself),
  consent_text_sha256: agreed('textHash', itself),
  duplicate_of: told(({ duplicateOf }) => duplicateOf),
  erased_at: told(({ lead }) => ('erasedAt' in lead ? time(lead.erasedAt) : null)),
  delivery_id: told(({ delivery }) => delivery?.id ?? null),
  delivery_settled_as: told(({ delivery }) => delivery?.settledAs ?? null),
  delivery_settled_at: told(({ delivery }) => time(delivery?.settledAt)),
  delivery_attempts: told(({ delivery }) => delivery?.attempts ?? null),
  delivery_last_outcome: told(({ delivery }) => delivery?.lastOutcome ?? null),
  delivery_next_attempt_at: told(({ delivery }) => time(delivery?.nextAttemptAt)),
  gpc: kept('gpc', itself),
  erased_by: told(({ lead }) => ('erasedBy' in lead ? lead.erasedBy : null)),
  signals: told(({ signals }) => signals.join(' ') || null),
  quarantined_at: told(({ quarantinedAt }) => time(quarantinedAt)),
  released_at: told(({ releasedAt }) => time(releasedAt)),
  corrects: told(({ corrects }) => corrects),
  corrected_by: told(({ correctedBy }) => correctedBy.join(' ') || null),
}

/**
 * What of a lead and its consent has no column, in words. What `columns` does not read and this does not name is an error
 * of types: nothing that somebody is asked can be forgotten here.
 */
export const leftOut: Readonly<
  Record<Exclude<keyof Lead, Read<'of'>> | Exclude<keyof Consent, Read<'ofConsent'>>, string>
> = {
  text: 'the disclosure’s words, long and the same for thousands: its SHA-256 says which they are',
}

interface ExportColumn {
  readonly name: string
  readonly read: Reader
}

export const exportColumns: readonly ExportColumn[] = Object.entries(columns).map(
  ([name, { read }]) => ({ name, read }),
)

/** The parts of a lead, or of its consent, that the columns read. */
type Read<Of extends 'of' | 'ofConsent'> = Extract<
  (typeof columns)[keyof typeof columns],
  Readonly<Record<Of, string>>
>[Of]

/** What the visitor said: empty once the lead is erased. */
function said<Of extends Exclude<keyof Lead, keyof ErasedLead>>(of: Of) {
  return { of, read: (({ lead }) => ('erasedAt' in lead ? null : lead[of])) satisfies Reader }
}

/** What stays of an erased lead. */
function kept<Of extends Exclude<keyof Lead & keyof ErasedLead, 'consent'>>(
  of: Of,
  read: (value: (Lead | ErasedLead)[Of]) => Cell,
) {
  return { of, read: (({ lead }) => read(lead[of])) satisfies Reader }
}

/** Part of the proof of consent; of an erased lead's some is empty, or all is gone. */
function agreed<Of extends keyof Consent>(ofConsent: Of, read: (value: Consent[Of]) => Cell) {
  const readConsent = ({ lead }: ExportedLead) =>
    (lead.consent && read(lead.consent[ofConsent])) || null
  return { of: 'consent', ofConsent, read: readConsent } as const
}

/** What the store knows of the lead. */
function told(read: Reader) {
  return { read }
}

function itself<Value extends Cell>(value: Value): Value {
  return value
}

function time(at: number | null | undefined): string | null {
  return typeof at === 'number' ? new Date(at).toISOString() : null
}
