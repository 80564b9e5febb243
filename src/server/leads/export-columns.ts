import type { Consent, ErasedLead, Lead, UnreadableLead } from '#domain/lead/lead.ts'
import type { Cell } from '#server/platform/export-formats.ts'
import type { ExportedLead } from './export-leads.ts'

type Reader = (exported: ExportedLead) => Cell

/** The columns in the order of the file. Add new columns at the end, so that operators' scripts keep working. */
const columns = {
  id: leadColumn('id', unchanged),
  received_at: leadColumn('receivedAt', time),
  status: attemptColumn('status', unchanged),
  area: leadColumn('area', unchanged),
  affiliate: leadColumn('subId', unchanged),
  first_name: leadColumn('firstName', unchanged),
  last_name: leadColumn('lastName', unchanged),
  phone: leadColumn('phone', unchanged),
  email: leadColumn('email', unchanged),
  street: leadColumn('street', unchanged),
  city: leadColumn('city', unchanged),
  state: leadColumn('state', unchanged),
  zip: leadColumn('zip', unchanged),
  zip_plus_4: leadColumn('zipPlus4', unchanged),
  address_verified: leadColumn('addressVerified', unchanged),
  education_level_id: leadColumn('educationLevel', unchanged),
  graduating_year: leadColumn('graduatingYear', unchanged),
  program_id: leadColumn('program', (program) => program?.id ?? null),
  program_name: leadColumn('program', (program) => program?.name ?? null),
  start_date_id: leadColumn('startDateId', unchanged),
  consent_at: consentColumn('at', time),
  consent_page: consentColumn('pageUrl', unchanged),
  consent_ip: consentColumn('ip', unchanged),
  consent_user_agent: consentColumn('userAgent', unchanged),
  consent_text_sha256: consentColumn('textHash', unchanged),
  duplicate_of: attemptColumn('duplicateOf', unchanged),
  erased_at: leadColumn('erasedAt', time),
  delivery_id: deliveryColumn('id', unchanged),
  delivery_settled_as: deliveryColumn('settledAs', unchanged),
  delivery_settled_at: deliveryColumn('settledAt', time),
  delivery_attempts: deliveryColumn('attempts', unchanged),
  delivery_last_outcome: deliveryColumn('lastOutcome', unchanged),
  delivery_next_attempt_at: deliveryColumn('nextAttemptAt', time),
  gpc: leadColumn('gpc', unchanged),
  erased_by: leadColumn('erasedBy', unchanged),
  signals: attemptColumn('signals', (signals) => signals.join(' ') || null),
  quarantined_at: attemptColumn('quarantinedAt', time),
  released_at: attemptColumn('releasedAt', time),
  corrects: attemptColumn('corrects', unchanged),
  corrected_by: attemptColumn('correctedBy', (ids) => ids.join(' ') || null),
  delivery_settled_by_hand: deliveryColumn('isSettledByHand', unchanged),
  delivery_restored_at: deliveryColumn('restoredAt', time),
  unreadable: leadColumn('unreadable', ({ parts, isNewer }) =>
    isNewer ? 'newer release' : parts.join(' '),
  ),
  opened_at: leadColumn('openedAt', time),
  delivery_last_reason: deliveryColumn('lastReason', unchanged),
  delivery_last_response: deliveryColumn('lastResponse', unchanged),
}

type AnyLead = Lead | ErasedLead | UnreadableLead
type ExportedDelivery = NonNullable<ExportedLead['delivery']>

/** Stored fields of a lead without a column. */
type UnexportedKey =
  | Exclude<KeyOfAny<AnyLead>, 'consent' | Read<'of'>>
  | Exclude<keyof Consent, Read<'ofConsent'>>
  | Exclude<keyof ExportedLead, 'lead' | 'delivery' | Read<'ofRecord'>>
  | Exclude<keyof ExportedDelivery, Read<'ofDelivery'>>

/** Why a stored field has no column. A field missing both here and in `columns` is a type error. */
export const omittedColumns: Readonly<Record<UnexportedKey, string>> = {
  text: 'the disclosure’s text, which thousands of leads share; its SHA-256 is exported instead',
}

interface ExportColumn {
  readonly name: string
  readonly read: Reader
}

export const exportColumns: readonly ExportColumn[] = Object.entries(columns).map(
  ([name, { read }]) => ({ name, read }),
)

/** The fields of the exported data that the columns read. */
type Read<Of extends 'of' | 'ofConsent' | 'ofRecord' | 'ofDelivery'> = Extract<
  (typeof columns)[keyof typeof columns],
  Readonly<Record<Of, string>>
>[Of]

type KeyOfAny<Union> = Union extends unknown ? keyof Union : never
type ValueOfAny<Union, Key> = Union extends unknown
  ? Key extends keyof Union
    ? Union[Key]
    : never
  : never

/** A column of the lead; empty if the lead lacks the field, as erased and unreadable leads do. */
function leadColumn<Of extends Exclude<KeyOfAny<AnyLead>, 'consent'>>(
  of: Of,
  read: (value: ValueOfAny<AnyLead, Of>) => Cell,
) {
  const readPart: Reader = ({ lead }) =>
    of in lead ? read((lead as Record<Of, ValueOfAny<AnyLead, Of>>)[of]) : null
  return { of, read: readPart }
}

/** A column of the proof of consent, which is partly or completely empty for an erased lead. */
function consentColumn<Of extends keyof Consent>(
  ofConsent: Of,
  read: (value: Consent[Of]) => Cell,
) {
  const readConsent: Reader = ({ lead }) => (lead.consent && read(lead.consent[ofConsent])) || null
  return { ofConsent, read: readConsent }
}

function attemptColumn<Of extends Exclude<keyof ExportedLead, 'lead' | 'delivery'>>(
  ofRecord: Of,
  read: (value: ExportedLead[Of]) => Cell,
) {
  return { ofRecord, read: ((exported) => read(exported[ofRecord])) satisfies Reader }
}

/** A column of the delivery; empty if the lead has no delivery. */
function deliveryColumn<Of extends keyof ExportedDelivery>(
  ofDelivery: Of,
  read: (value: ExportedDelivery[Of]) => Cell,
) {
  const readDelivery: Reader = ({ delivery }) => delivery && read(delivery[ofDelivery])
  return { ofDelivery, read: readDelivery }
}

function unchanged<Value extends Cell>(value: Value): Value {
  return value
}

function time(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
