import type { ShownResult, ShownTarget } from '#console/audit/audit-cells.tsx'
import { actionLabels } from '#console/jobs/job-labels.ts'
import { isBulkAction } from '#domain/job/job.ts'
import { isLeadId } from '#domain/lead/lead.ts'
import type { AuditedAct } from '#server/operators/audit.ts'
import type { AuditActors } from '#server/operators/read-audit.ts'
import { auditFields, readAuditAddress } from './audit-filter.ts'
import { describeFilter, type KnownValues, labelOf } from './leads/filter-form.ts'

interface Known extends KnownValues {
  readonly who: AuditActors
}

/** The audit log records a filter as in its address; the page shows it in words. */
export function shownTarget(
  { action, subject, toWhom }: Pick<AuditedAct, 'action' | 'subject' | 'toWhom'>,
  known: Known,
): ShownTarget | undefined {
  const text = subject ?? ''
  if (isLeadId(text)) return { kind: 'one', id: text, toWhom }
  if (action === 'exported leads') return { kind: 'filter', parts: leadFilter(text, known) }
  if (action === 'exported the audit') return { kind: 'filter', parts: auditFilter(text, known) }
  if (text === '') return undefined
  const ids = text.split(' ').filter((word) => word !== '…')
  return ids.every(isLeadId) ? { kind: 'leads', ids } : { kind: 'words', text }
}

const ofSearch = /(^| )of a person searched for$/

const exportQuery = (subject: string | null): string => (subject ?? '').replace(ofSearch, '')

function leadFilter(subject: string, known: Known): readonly string[] {
  const parts = [
    ...(ofSearch.test(subject) ? ['a person who was searched for'] : []),
    ...describeFilter(exportQuery(subject), known),
  ]
  return parts.length === 0 ? ['every lead'] : parts
}

function auditFilter(subject: string, { who }: Known): readonly string[] {
  const asked = readAuditAddress(Object.fromEntries(new URLSearchParams(subject)))
  const parts = auditFields(asked, who)
    .filter(({ value }) => value !== '')
    .map((field) => `${field.label}: ${labelOf(field, field.value)}`)
  return parts.length === 0 ? ['every entry'] : parts
}

export function shownResult(
  entry: Pick<AuditedAct, 'action' | 'outcome'>,
  known: KnownValues,
): ShownResult | undefined {
  const { outcome } = entry
  if (outcome === null) return undefined
  const job = jobIn(entry)
  if (job === undefined) return { kind: 'words', text: outcome }
  const filter = describeFilter(job.query, known)
  return {
    kind: 'job',
    action: actionLabels[job.action].name,
    parts: [
      ...(job.isOfSearch ? ['a person who was searched for'] : []),
      ...(filter.length === 0 && !job.isOfSearch ? ['every lead'] : filter),
    ],
    pace: job.pace,
  }
}

/** The lead filters that an entry names. */
export const queriesIn = (entry: AuditedAct): readonly string[] => [
  ...(entry.action === 'exported leads' ? [exportQuery(entry.subject)] : []),
  jobIn(entry)?.query ?? '',
]

/** As recorded: `retry of status=dead, 200 a second`. An address contains neither blanks nor commas, which it encodes. */
const recordedJob =
  /^(?<action>\w+) of (?<query>every lead|[^ ,]*)(?<search>, of a person searched for)?(?:, (?<pace>\d+ a second))?$/

function jobIn({ action, outcome }: Pick<AuditedAct, 'action' | 'outcome'>) {
  if (action !== 'planned a job' && action !== 'started a job') return undefined
  const groups = recordedJob.exec(outcome ?? '')?.groups
  if (groups?.action === undefined || !isBulkAction(groups.action)) return undefined
  return {
    action: groups.action,
    query: groups.query === 'every lead' ? '' : (groups.query ?? ''),
    isOfSearch: groups.search !== undefined,
    pace: groups.pace,
  }
}
