import type { ShownSubject } from '#console/audit/subject.tsx'
import { isLeadId } from '#domain/lead/lead-id.ts'
import type { AuditedAct } from '#server/operators/audit/audit.ts'
import type { WhoActs } from '#server/operators/audit/read-audit.ts'
import { type KnownValues, labelOf } from '../leads/filter-form.ts'
import { filterInWords } from '../leads/filter-in-words.ts'
import { auditFields } from './audit-fields.ts'
import { readAuditAddress } from './read-audit-address.ts'

interface Known extends KnownValues {
  readonly who: WhoActs
}

/** The audit has filters as an address has them: they are shown as their pages say them. */
export function shownSubject(
  { action, subject, toWhom }: Pick<AuditedAct, 'action' | 'subject' | 'toWhom'>,
  known: Known,
): ShownSubject | undefined {
  const text = subject ?? ''
  if (isLeadId(text)) return { kind: 'one', id: text, toWhom }
  if (action === 'exported leads') return { kind: 'filter', parts: leadsMeant(text, known) }
  if (action === 'exported the audit') return { kind: 'filter', parts: actsMeant(text, known) }
  if (text === '') return undefined
  const ids = text.split(' ').filter((word) => word !== '…')
  return ids.every(isLeadId) ? { kind: 'leads', ids } : { kind: 'words', text }
}

const ofSearch = /(^| )of a person searched for$/

export const leadsQueryOf = (subject: string | null): string =>
  (subject ?? '').replace(ofSearch, '')

function leadsMeant(subject: string, known: Known): readonly string[] {
  const parts = [
    ...(ofSearch.test(subject) ? ['a person who was searched for'] : []),
    ...filterInWords(leadsQueryOf(subject), known),
  ]
  return parts.length === 0 ? ['every lead'] : parts
}

function actsMeant(subject: string, { who }: Known): readonly string[] {
  const asked = readAuditAddress(Object.fromEntries(new URLSearchParams(subject)))
  const parts = auditFields(asked, who)
    .filter(({ value }) => value !== '')
    .map((field) => `${field.label}: ${labelOf(field, field.value)}`)
  return parts.length === 0 ? ['every act'] : parts
}
