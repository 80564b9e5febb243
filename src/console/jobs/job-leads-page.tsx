import { ConsolePage } from '#console/shell/console-page.tsx'
import { type Column, DataTable, NextPageLink } from '#console/shell/data-table.tsx'
import {
  LeadLink,
  LeadStatusBadge,
  LeadTimeLink,
  ShortReference,
} from '#console/shell/lead-link.tsx'
import { type JobLeadOutcome, outcomeDefinitions } from '#domain/job/job-lead-outcome.ts'
import type { VisibleStatus } from '#domain/lead/lead-status.ts'
import styles from './jobs.module.css'

export interface JobLeadRow {
  readonly id: string
  /** When the lead was received, in epoch milliseconds; null if the lead no longer exists. */
  readonly receivedAt: number | null
  /** The lead's current status; null if the lead no longer exists. */
  readonly status: VisibleStatus | null
  /** The id of the lead that replaces this lead, or the error code of a failed action. */
  readonly detail: string | null
}

interface JobLeadsPageProps {
  jobId: string
  outcome: JobLeadOutcome
  rows: readonly JobLeadRow[]
  next: string | undefined
}

/** Lists the leads of a job that had the same result, in the order in which the job processed them. */
export const JobLeadsPage = ({ jobId, outcome, rows, next }: JobLeadsPageProps) => (
  <ConsolePage name="Leads of this job">
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
      empty="No leads. The server deletes a job’s lists of leads 30 days after the job ends."
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
  heading: 'Error code',
  cell: ({ detail }) => detail !== null && <code>{detail}</code>,
}
