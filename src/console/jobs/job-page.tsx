import { type Job, jobLeadsRetentionMs, requiredRight, toJobState } from '#domain/job/job.ts'
import {
  type JobLeadOutcome,
  jobLeadOutcomes,
  outcomeDefinitions,
  toOutcomeKind,
} from '#domain/job/job-lead-outcome.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import { ConsolePage, type ConsoleShell, isActionAllowed } from '../shell/console-page.tsx'
import { type Column, DataTable } from '../shell/data-table.tsx'
import { Facts } from '../shell/facts.tsx'
import type { Message } from '../shell/message.tsx'
import { Timestamp } from '../shell/times.tsx'
import layout from '../shell/two-columns.module.css'
import { JobButtons, StartJobForm, type StartJobFormProps } from './job-forms.tsx'
import { actionLabels } from './job-labels.ts'
import { JobProgress } from './job-progress.tsx'
import styles from './jobs.module.css'

export interface JobPageProps {
  shell: ConsoleShell
  job: Job
  /** The conditions that select the job's leads, each in words. */
  scope: readonly string[]
  /** The address of the list of the job's leads; undefined if an address can't express the filter. */
  leadsAddress: string | undefined
  /** The values of the start form, as the operator typed them. */
  start: Pick<StartJobFormProps, 'reason' | 'rate'>
  message: Message | undefined
}

export function JobPage(props: JobPageProps) {
  const { shell, job, scope, leadsAddress, message } = props
  const mayRunJobs = isActionAllowed(shell, 'run jobs')
  const mayRun = mayRunJobs && isActionAllowed(shell, requiredRight[job.action])
  return (
    <ConsolePage
      shell={shell}
      name="Job"
      message={message}
      isLive={job.endedAt === null}
      actions={mayRunJobs && <JobButtons shell={shell} job={job} mayRun={mayRun} />}
    >
      <p className={styles.scope}>
        <span>
          <b>{actionLabels[job.action].name}</b> · {scope.join(' · ')}
        </span>
        {leadsAddress !== undefined && <a href={leadsAddress}>View leads</a>}
      </p>
      <JobProgress job={job} />
      <div className={layout.columns}>
        <div className={styles.report}>
          {job.startedAt === null ? <DryRunResult job={job} /> : <JobReport job={job} />}
          {toJobState(job) === 'planned' && job.plan.leads > 0 && mayRun && (
            <StartJobForm shell={shell} job={job} errors={message?.fields} {...props.start} />
          )}
          {job.startedAt !== null && <DryRunResult job={job} />}
        </div>
        <JobFacts job={job} />
      </div>
    </ConsolePage>
  )
}

const DryRunResult = ({ job: { plan } }: { job: Job }) =>
  plan.leads > 0 && (
    <section aria-labelledby="plan">
      <h2 id="plan">Plan</h2>
      <OutcomeTable name="Plan" counts={plan.byOutcome} tense="planned" empty="" />
    </section>
  )

const daysKept = jobLeadsRetentionMs / (24 * 60 * 60 * 1000)

function JobReport({ job }: { job: Job }) {
  const linkTo = (outcome: JobLeadOutcome) => (
    <a href={`/jobs/${job.id}/leads?outcome=${encodeURIComponent(outcome)}`}>
      View leads
      <span className="visually-hidden">: {outcomeDefinitions[outcome].result}</span>
    </a>
  )
  return (
    <section aria-labelledby="report">
      <h2 id="report">Results</h2>
      <OutcomeTable
        name="Results"
        counts={job.report}
        tense="result"
        more={job.membersRemovedAt === null ? [{ heading: 'List', cell: linkTo }] : []}
        empty="No lead has been processed yet."
      />
      {job.endedAt !== null && (
        <p className={styles.quiet}>
          {job.membersRemovedAt === null
            ? `The lists of leads are kept for ${daysKept} days after the job ends, these results permanently.`
            : `The lists of leads were deleted ${daysKept} days after the job ended.`}
        </p>
      )}
    </section>
  )
}

interface OutcomeTableProps {
  name: string
  counts: Readonly<Partial<Record<JobLeadOutcome, number>>>
  tense: 'planned' | 'result'
  more?: readonly Column<JobLeadOutcome>[]
  empty: string
}

const OutcomeTable = ({ name, counts, tense, more = [], empty }: OutcomeTableProps) => (
  <DataTable
    name={name}
    columns={[
      {
        heading: 'Result',
        cell: (outcome) => (
          <span className={styles.outcome} data-kind={toOutcomeKind(outcome)}>
            {toOutcomeKind(outcome)}
          </span>
        ),
      },
      {
        heading: 'Leads',
        isNumber: true,
        cell: (outcome) => (counts[outcome] ?? 0).toLocaleString('en-US'),
      },
      { heading: 'Details', isLong: true, cell: (outcome) => outcomeDefinitions[outcome][tense] },
      ...more,
    ]}
    rows={jobLeadOutcomes.filter((outcome) => (counts[outcome] ?? 0) > 0)}
    keyOf={(outcome) => outcome}
    empty={empty}
  />
)

const JobFacts = ({ job }: { job: Job }) => (
  <section className={layout.card} aria-labelledby="facts">
    <h2 id="facts">Details</h2>
    <Facts
      of={[
        job.who !== '' && [job.startedAt === null ? 'Planned by' : 'Started by', job.who],
        job.reason !== null && ['Reason', job.reason],
        ['Planned', <Timestamp key="planned" at={job.plannedAt} />],
        job.startedAt !== null && ['Started', <Timestamp key="started" at={job.startedAt} />],
        job.startedAt !== null && ['Rate', `${pluralize(job.rate, 'lead')} per second at most`],
        job.endedAt !== null && [
          job.cancelledAt === null ? 'Ended' : 'Cancelled',
          <Timestamp key="ended" at={job.endedAt} />,
        ],
        ['Reference', <code key="reference">{job.id}</code>],
      ]}
    />
  </section>
)
