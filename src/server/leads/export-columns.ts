import { formatIsoTime } from '#domain/calendar.ts'
import { type Attribution, findCampaign, findSource, touchParts } from '#domain/lead/attribution.ts'
import type { ErasedLead, Lead, UnreadableLead } from '#domain/lead/lead.ts'
import { toReference } from '#domain/lead/reference.ts'
import {
  findStoredAnswer,
  type StoredName,
  storedNames,
  toCell,
} from '#domain/lead/stored-answers.ts'
import type { ExportCell } from '#server/platform/export-formats.ts'
import type { LeadWithLastAttempt } from './read-leads.ts'

/** A lead of any kind: erased and unreadable leads lack most fields. */
type AnyLead = Partial<
  Omit<Lead, keyof ErasedLead> & ErasedLead & Pick<UnreadableLead, 'unreadable'>
>

type Exported = Omit<LeadWithLastAttempt, 'lead'> & { readonly lead: AnyLead }

/** The columns in the order of the file. Add new columns at the end, so that operators' scripts keep working. */
const columns: Readonly<
  Record<string, (exported: Exported, zone: string) => ExportCell | undefined>
> = {
  id: ({ lead }) => lead.id,
  received_at: ({ lead }, zone) => formatTime(lead.receivedAt, zone),
  status: ({ status }) => status,
  area: ({ lead }) => lead.area,
  affiliate: ({ lead }) => lead.subId,
  ...makeAnswerColumns('firstName', 'lastName', 'phone', 'email'),
  ...makeAnswerColumns('address', 'city', 'state', 'zip'),
  zip_plus_4: ({ lead }) => lead.zipPlus4,
  address_verified: ({ lead }) => lead.addressVerified,
  ...makeAnswerColumns('educationLevel', 'graduatingYear', 'program'),
  program_name: ({ lead }) => lead.program?.name,
  ...makeAnswerColumns('startDate'),
  consent_at: ({ lead }, zone) => formatTime(lead.consent?.at, zone),
  consent_page: ({ lead }) => lead.consent?.pageUrl || null,
  // An erasure empties the IP address and the user agent.
  consent_ip: ({ lead }) => lead.consent?.ip || null,
  consent_user_agent: ({ lead }) => lead.consent?.userAgent || null,
  consent_text_sha256: ({ lead }) => lead.consent?.textHash,
  duplicate_of: ({ duplicateOf }) => duplicateOf,
  erased_at: ({ lead }, zone) => formatTime(lead.erasedAt, zone),
  delivery_id: ({ delivery }) => delivery?.id,
  delivery_settled_as: ({ delivery }) => delivery?.settledAs,
  delivery_settled_at: ({ delivery }, zone) => formatTime(delivery?.settledAt, zone),
  delivery_attempts: ({ delivery }) => delivery?.attempts,
  delivery_last_outcome: ({ delivery }) => delivery?.lastOutcome,
  delivery_next_attempt_at: ({ delivery }, zone) => formatTime(delivery?.nextAttemptAt, zone),
  gpc: ({ lead }) => lead.gpc,
  erased_by: ({ lead }) => lead.erasedBy,
  signals: ({ signals }) => signals.join(' ') || null,
  quarantined_at: ({ quarantinedAt }, zone) => formatTime(quarantinedAt, zone),
  released_at: ({ releasedAt }, zone) => formatTime(releasedAt, zone),
  corrects: ({ corrects }) => corrects,
  corrected_by: ({ correctedBy }) => correctedBy.join(' ') || null,
  delivery_settled_by_hand: ({ delivery }) => delivery?.isSettledByHand,
  delivery_restored_at: ({ delivery }, zone) => formatTime(delivery?.restoredAt, zone),
  unreadable: ({ lead }) => lead.unreadable?.parts.join(' '),
  opened_at: ({ lead }, zone) => formatTime(lead.openedAt, zone),
  delivery_last_reason: ({ delivery }) => delivery?.lastReason,
  delivery_last_response: ({ delivery }) => delivery?.lastResponse,
  source: ({ lead }) => findSource(lead.attribution ?? null),
  campaign: ({ lead }) => findCampaign(lead.attribution ?? null),
  ...makeTouchColumns('first'),
  ...makeTouchColumns('last'),
  returned_at: ({ returned }, zone) => formatTime(returned?.at, zone),
  return_reason: ({ returned }) => returned?.reason,
  reference: ({ lead }) => lead.id && toReference(lead.id),
  // Columns that are listed above keep their places, so only newer answers follow here.
  ...makeAnswerColumns(...storedNames),
}

function makeAnswerColumns(...names: readonly StoredName[]): typeof columns {
  const readAnswer =
    (name: StoredName): (typeof columns)[string] =>
    ({ lead: { [name]: value } }) =>
      value === undefined || value === null ? null : toCell(name, value)
  return Object.fromEntries(names.map((name) => [findStoredAnswer(name).column, readAnswer(name)]))
}

/** Makes the columns of a visitor's first or last touch, such as `first_utm_source` and `first_referrer`. */
function makeTouchColumns(which: keyof Attribution): typeof columns {
  return Object.fromEntries(
    touchParts.map((part) => [`${which}_${part}`, ({ lead }) => lead.attribution?.[which][part]]),
  )
}

export const leadExportColumns = Object.entries(columns).map(([name, read]) => ({
  name,
  read: (exported: LeadWithLastAttempt, zone: string): ExportCell => read(exported, zone) ?? null,
}))

const formatTime = (at: number | null | undefined, zone: string): string | null =>
  typeof at === 'number' ? formatIsoTime(at, zone) : null
