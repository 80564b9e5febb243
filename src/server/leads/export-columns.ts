import type { Consent, ErasedLead, Lead, UnreadableLead } from '#domain/lead/lead.ts'
import type { Cell } from '#server/platform/export-formats.ts'
import type { ExportedLead } from './export-leads.ts'

type Reader = (exported: ExportedLead) => Cell

/**
 * In the order of the file. Columns are added at the end, so that operators' scripts keep working.
 */
const columns = {
  id: part('id', itself),
  received_at: part('receivedAt', time),
  status: told('status', itself),
  area: part('area', itself),
  affiliate: part('subId', itself),
  first_name: part('firstName', itself),
  last_name: part('lastName', itself),
  phone: part('phone', itself),
  email: part('email', itself),
  street: part('street', itself),
  city: part('city', itself),
  state: part('state', itself),
  zip: part('zip', itself),
  zip_plus_4: part('zipPlus4', itself),
  address_verified: part('addressVerified', itself),
  education_level_id: part('educationLevel', itself),
  graduating_year: part('graduatingYear', itself),
  program_id: part('program', (program) => program?.id ?? null),
  program_name: part('program', (program) => program?.name ?? null),
  start_date_id: part('startDateId', itself),
  consent_at: agreed('at', time),
  consent_page: agreed('pageUrl', itself),
  consent_ip: agreed('ip', itself),
  consent_user_agent: agreed('userAgent', itself),
  consent_text_sha256: agreed('textHash', itself),
  duplicate_of: told('duplicateOf', itself),
  erased_at: part('erasedAt', time),
  delivery_id: owed('id', itself),
  delivery_settled_as: owed('settledAs', itself),
  delivery_settled_at: owed('settledAt', time),
  delivery_attempts: owed('attempts', itself),
  delivery_last_outcome: owed('lastOutcome', itself),
  delivery_next_attempt_at: owed('nextAttemptAt', time),
  gpc: part('gpc', itself),
  erased_by: part('erasedBy', itself),
  signals: told('signals', (signals) => signals.join(' ') || null),
  quarantined_at: told('quarantinedAt', time),
  released_at: told('releasedAt', time),
  corrects: told('corrects', itself),
  corrected_by: told('correctedBy', (ids) => ids.join(' ') || null),
  delivery_settled_by_hand: owed('isSettledByHand', itself),
  delivery_restored_at: owed('restoredAt', time),
  unreadable: part('unreadable', ({ parts, isNewer }) =>
    isNewer ? 'newer release' : parts.join(' '),
  ),
  opened_at: part('openedAt', time),
  delivery_last_reason: owed('lastReason', itself),
  delivery_last_response: owed('lastResponse', itself),
}

type AnyLead = Lead | ErasedLead | UnreadableLead
type Owed = NonNullable<ExportedLead['delivery']>

/** Stored fields of a lead without a column. */
type Unread =
  | Exclude<KeyOfAny<AnyLead>, 'consent' | Read<'of'>>
  | Exclude<keyof Consent, Read<'ofConsent'>>
  | Exclude<keyof ExportedLead, 'lead' | 'delivery' | Read<'ofRecord'>>
  | Exclude<keyof Owed, Read<'ofDelivery'>>

/**
 * That, in words. A field that is neither in `columns` nor here is a type error, so that no answer
 * and no fact of a lead or its delivery can be forgotten.
 */
export const leftOut: Readonly<Record<Unread, string>> = {
  text: 'the disclosure’s words, long and the same for thousands: its SHA-256 says which they are',
}

interface ExportColumn {
  readonly name: string
  readonly read: Reader
}

export const exportColumns: readonly ExportColumn[] = Object.entries(columns).map(
  ([name, { read }]) => ({ name, read }),
)

/** The parts of what is exported that the columns read. */
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

/** Empty where the lead has no such part, as most of one that is erased or cannot be read. */
function part<Of extends Exclude<KeyOfAny<AnyLead>, 'consent'>>(
  of: Of,
  read: (value: ValueOfAny<AnyLead, Of>) => Cell,
) {
  const readPart: Reader = ({ lead }) =>
    of in lead ? read((lead as Record<Of, ValueOfAny<AnyLead, Of>>)[of]) : null
  return { of, read: readPart }
}

/** Part of the proof of consent; for an erased lead some or all of it is empty. */
function agreed<Of extends keyof Consent>(ofConsent: Of, read: (value: Consent[Of]) => Cell) {
  const readConsent: Reader = ({ lead }) => (lead.consent && read(lead.consent[ofConsent])) || null
  return { ofConsent, read: readConsent }
}

/** The lead as the store has it. */
function told<Of extends Exclude<keyof ExportedLead, 'lead' | 'delivery'>>(
  ofRecord: Of,
  read: (value: ExportedLead[Of]) => Cell,
) {
  return { ofRecord, read: ((exported) => read(exported[ofRecord])) satisfies Reader }
}

/** Empty without a delivery. */
function owed<Of extends keyof Owed>(ofDelivery: Of, read: (value: Owed[Of]) => Cell) {
  const readDelivery: Reader = ({ delivery }) => delivery && read(delivery[ofDelivery])
  return { ofDelivery, read: readDelivery }
}

function itself<Value extends Cell>(value: Value): Value {
  return value
}

function time(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
