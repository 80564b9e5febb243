import { type MemberOutcome, outcomeWords } from '#domain/job/member-outcome.ts'
import type { ShownStatus } from '#domain/lead/lead-status.ts'
import { LeadLink, LeadName, LeadStatusMark, Reference } from '../lead/lead-name.tsx'
import { ConsolePage, type Shell } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import { type Column, DataTable } from '../shell/data-table.tsx'
import styles from './jobs.module.css'

export interface JobLeadRow {
  readonly id: string
  /** Null where it is not there any more, as are the rest. */
  readonly receivedAt: number | null
  readonly status: ShownStatus | null
  /** The lead that counts in its place; of a failure the code. */
  readonly detail: string | null
}

interface JobLeadsPageProps {
  shell: Shell
  jobId: string
  outcome: MemberOutcome
  rows: readonly JobLeadRow[]
  next: string | undefined
}

/** Which leads came to one end in a job, in its order. */
export const JobLeadsPage = ({ shell, jobId, outcome, rows, next }: JobLeadsPageProps) => (
  <ConsolePage shell={shell} name="Leads of a job">
    <p className={styles.meant}>
      <span>{outcomeWords[outcome].came}</span> <a href={`/jobs/${jobId}`}>Back to the job</a>
    </p>
    <DataTable
      name="Leads"
      isCompact
      columns={outcome === 'failed' ? [...columns, failure] : [...columns, other]}
      rows={rows}
      keyOf={({ id }) => id}
      empty="None, or which they were is not kept any more."
    />
    {next !== undefined && (
      <a className={controls.button} rel="next" href={next}>
        More
      </a>
    )}
  </ConsolePage>
)

const columns: readonly Column<JobLeadRow>[] = [
  {
    heading: 'Received',
    isPlain: true,
    cell: ({ id, receivedAt }) =>
      receivedAt === null ? '–' : <LeadName id={id} receivedAt={receivedAt} />,
  },
  { heading: 'Reference', isPlain: true, cell: ({ id }) => <Reference id={id} /> },
  {
    heading: 'Status now',
    cell: ({ status }) =>
      status === null ? 'not there any more' : <LeadStatusMark status={status} />,
  },
]

const other: Column<JobLeadRow> = {
  heading: 'The one that counts',
  cell: ({ detail }) => (detail === null ? '–' : <LeadLink id={detail} />),
}

const failure: Column<JobLeadRow> = {
  heading: 'Code',
  cell: ({ detail }) => <code>{detail ?? '–'}</code>,
}
