import type { ShownOutcome } from '#console/audit/outcome.tsx'
import { actionWords } from '#console/jobs/job-in-words.ts'
import { isBulkAction } from '#domain/job/bulk-action.ts'
import type { AuditedAct } from '#server/operators/audit/audit.ts'
import type { KnownValues } from '../leads/filter-form.ts'
import { filterInWords } from '../leads/filter-in-words.ts'

type Act = Pick<AuditedAct, 'action' | 'outcome'>

/** A job's filter stands in the audit as an address has it, too: `retry of status=dead, 200 a second`. */
export function shownOutcome(act: Act, known: KnownValues): ShownOutcome | undefined {
  const { outcome } = act
  if (outcome === null) return undefined
  const job = jobIn(act)
  if (job === undefined) return { kind: 'words', text: outcome }
  const filter = filterInWords(job.query, known)
  return {
    kind: 'job',
    action: actionWords[job.action].name,
    parts: [
      ...(job.isOfSearch ? ['a person who was searched for'] : []),
      ...(filter.length === 0 && !job.isOfSearch ? ['every lead'] : filter),
    ],
    pace: job.pace,
  }
}

/** The filter of a job that was planned or started; empty for every other act. */
export const jobQueryOf = (act: Act): string => jobIn(act)?.query ?? ''

// An address has no blank and no comma: its values are encoded.
const written =
  /^(?<action>\w+) of (?<query>every lead|[^ ,]*)(?<search>, of a person searched for)?(?:, (?<pace>\d+ a second))?$/

function jobIn({ action, outcome }: Act) {
  if (action !== 'planned a job' && action !== 'started a job') return undefined
  const groups = written.exec(outcome ?? '')?.groups
  if (groups?.action === undefined || !isBulkAction(groups.action)) return undefined
  return {
    action: groups.action,
    query: groups.query === 'every lead' ? '' : (groups.query ?? ''),
    isOfSearch: groups.search !== undefined,
    pace: groups.pace,
  }
}
