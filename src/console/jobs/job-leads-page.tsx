import { type JobLeadOutcome, outcomeDefinitions } from '#domain/job/job-lead-outcome.ts'
import type { VisibleStatus } from '#domain/lead/lead-status.ts'
import { LeadStatusBadge, LeadTimeLink } from '../lead/lead-time-link.tsx'
import { ConsolePage, type ConsoleShell } from '../shell/console-page.tsx'
import { type Column, DataTable, NextPageLink } from '../shell/data-table.tsx'
import { LeadLink, ShortReference } from '../shell/lead-link.tsx'
import styles from './jobs.module.css'

export interface JobLeadRow {
  readonly id: string
  /** Epoch milliseconds; null if the lead no longer exists. */
  readonly receivedAt: number | null
  /** Null if the lead no longer exists. */
  readonly status: VisibleStatus | null
  /** The lead that a duplicate repeats, or the error code of a failed action. */
  readonly detail: string | null
}

interface JobLeadsPageProps {
  shell: ConsoleShell
  jobId: string
  outcome: JobLeadOutcome
  rows: readonly JobLeadRow[]
  next: string | undefined
}

/** Lists the leads for which a job had one result, in the order in which the job processed them. */
export const JobLeadsPage = ({ shell, jobId, outcome, rows, next }: JobLeadsPageProps) => (
  <ConsolePage shell={shell} name="Leads of this job">
    <p className={styles.scope}>
      <span>{outcomeDefinitions[outcome].result}</span>{' '}
      <a href={`/jobs/${jobId}`}>Back to the job</a>
    </p>
    <DataTable
      name="Leads"
      isCompact
      columns={[...columns, outcome === 'failed' ? errorColumn : replacedByColumn]}
      rows={rows}
      keyOf={({ id }) => id}
      empty="No leads. Lists of leads are deleted 30 days after a job ends."
    />
    <NextPageLink href={next} text="More" />
  </ConsolePage>
)

const columns: readonly Column<JobLeadRow>[] = [
  {
    heading: 'Received',
    isUnlabeled: true,
    cell: ({ id, receivedAt }) =>
      receivedAt !== null && <LeadTimeLink id={id} receivedAt={receivedAt} />,
  },
  { heading: 'Reference', isUnlabeled: true, cell: ({ id }) => <ShortReference id={id} /> },
  {
    heading: 'Current status',
    cell: ({ status }) =>
      status === null ? 'no longer exists' : <LeadStatusBadge status={status} />,
  },
]

const replacedByColumn: Column<JobLeadRow> = {
  heading: 'Replaced by',
  cell: ({ detail }) => detail !== null && <LeadLink id={detail} />,
}

const errorColumn: Column<JobLeadRow> = {
  heading: 'Code',
  cell: ({ detail }) => detail !== null && <code>{detail}</code>,
}
