import type { AuditTarget } from '#console/audit/audit-page.tsx'
import { actionLabels } from '#console/jobs/job-labels.ts'
import { labelOf } from '#console/leads/filter-form.tsx'
import { isBulkAction } from '#domain/job/job.ts'
import { describeRecordedOutcome } from '#domain/job/member-outcome.ts'
import { isLeadId } from '#domain/lead/lead.ts'
import type { AuditedAct } from '#server/operators/audit.ts'
import type { AuditActors } from '#server/operators/read-audit.ts'
import { auditFields, readAuditAddress } from './audit-filter.ts'
import { describeFilter, type KnownProgram } from './leads/filter-form.ts'

interface Known {
  readonly programs: readonly KnownProgram[]
  readonly who: AuditActors
}

/** Shows the target of an audit entry. The log stores a filter as in its address; the page shows it in words. */
export function shownTarget(
  { action, subject, toWhom }: Pick<AuditedAct, 'action' | 'subject' | 'toWhom'>,
  known: Known,
): AuditTarget | undefined {
  const text = subject ?? ''
  if (isLeadId(text)) return { id: text, email: toWhom }
  if (action === 'exported leads') return leadFilter(text, known)
  if (action === 'exported the audit') return auditFilter(text, known)
  if (text === '') return undefined
  const ids = text.split(' ').filter((word) => word !== '…')
  return ids.every(isLeadId) ? { leads: ids } : text
}

const ofSearch = /(^| )of a person searched for$/

function leadFilter(subject: string, known: Known): string {
  const parts = [
    ...(ofSearch.test(subject) ? ['a person who was searched for'] : []),
    ...describeFilter((subject ?? '').replace(ofSearch, ''), known.programs),
  ]
  return parts.join(' · ') || 'every lead'
}

function auditFilter(subject: string, { who }: Known): string {
  const asked = readAuditAddress(Object.fromEntries(new URLSearchParams(subject)))
  const parts = auditFields(asked, who)
    .filter(({ value }) => value !== '')
    .map((field) => `${field.label}: ${labelOf(field, field.value)}`)
  return parts.join(' · ') || 'every entry'
}

export function shownResult(
  entry: Pick<AuditedAct, 'action' | 'outcome'>,
  { programs }: Pick<Known, 'programs'>,
): string | undefined {
  const { outcome } = entry
  if (outcome === null) return undefined
  const job = jobIn(entry)
  if (job === undefined) return describeRecordedOutcome(outcome)
  const filter = describeFilter(job.query, programs)
  return [
    job.pace === undefined
      ? actionLabels[job.action].name
      : `${actionLabels[job.action].name}, ${job.pace}`,
    ...(job.isOfSearch ? ['a person who was searched for'] : []),
    ...(filter.length === 0 && !job.isOfSearch ? ['every lead'] : filter),
  ].join(' · ')
}

/**
 * Parses a job as the audit log stores it: `retry of status=dead, 200 a second`. The filter is URL-encoded, so it
 * contains neither blanks nor commas.
 */
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
