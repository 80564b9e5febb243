import type { ReactNode } from 'react'
import { ConsolePage } from '#console/shell/console-page.tsx'
import { type Column, DataTable, makeNumberColumn } from '#console/shell/data-table.tsx'
import { DescriptionList } from '#console/shell/description-list.tsx'
import {
  ButtonForm,
  PostForm,
  ReasonField,
  StepUpButton,
  SubmitButton,
} from '#console/shell/forms.tsx'
import { Callout, type CalloutProps } from '#console/shell/message.tsx'
import { useFieldErrors, useMayDo, useNeedsStepUp } from '#console/shell/shell.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import layout from '#console/shell/two-columns.module.css'
import { day } from '#domain/durations.ts'
import {
  actionLabels,
  findJobProgress,
  jobLeadsRetentionMs,
  maxLeadsPerSecond,
  permissionByAction,
  toJobState,
} from '#domain/job/job.ts'
import {
  describeOutcomeCounts,
  type JobLeadOutcome,
  jobLeadOutcomes,
  type OutcomeCounts,
  outcomeDefinitions,
  toOutcomeKind,
} from '#domain/job/job-lead-outcome.ts'
import { formatNumber, pluralize } from '#domain/text/formats.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { TextField } from '#ui/field.tsx'
import styles from './jobs.module.css'

export interface JobPageProps {
  job: Job
  /** The conditions that select the job's leads, each in words. */
  scope: readonly string[]
  /** The URL of the list that matches the job's filter; undefined for a job on a search's results, whose URL expires. */
  leadsAddress: string | undefined
  /** The values that the form *Start this job* shows. */
  start: { readonly reason: string; readonly rate: string }
}

export function JobPage(props: JobPageProps) {
  const { job, scope, leadsAddress } = props
  const mayDo = useMayDo()
  const mayRunJobs = mayDo('run jobs')
  const mayRun = mayRunJobs && mayDo(permissionByAction[job.action])
  return (
    <ConsolePage
      name="Job"
      isLive={job.endedAt === null}
      endsMessage={toJobState(job) === 'done'}
      actions={mayRunJobs && <JobButtons job={job} mayRun={mayRun} />}
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
            <StartJobForm {...props} />
          )}
          {job.startedAt !== null && <DryRunResult job={job} />}
        </div>
        <JobDetails job={job} />
      </div>
    </ConsolePage>
  )
}

const DryRunResult = ({ job: { plan } }: { job: Job }) =>
  Object.keys(plan.byOutcome).length > 0 && (
    <section aria-labelledby="plan">
      <h2 id="plan">Plan</h2>
      <JobOutcomeTable name="Plan" counts={plan.byOutcome} tense="planned" />
    </section>
  )

const daysKept = jobLeadsRetentionMs / day

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
      <JobOutcomeTable
        name="Results"
        counts={job.report}
        tense="result"
        moreColumns={job.membersRemovedAt === null ? [{ heading: 'List', cell: linkTo }] : []}
        empty="No lead has been processed yet."
      />
      {job.endedAt !== null && (
        <p className={styles.quiet}>
          {job.membersRemovedAt === null
            ? `The server keeps the lists of leads for ${daysKept} days after the job ends, and these results permanently.`
            : `The lists of leads were deleted ${daysKept} days after the job ended.`}
        </p>
      )}
    </section>
  )
}

interface JobOutcomeTableProps {
  name: string
  counts: OutcomeCounts
  tense: 'planned' | 'result'
  moreColumns?: readonly Column<JobLeadOutcome>[]
  empty?: string
}

const outcomeKindLabels = {
  planned: { done: 'will be processed', skipped: 'will be skipped', failed: 'will fail' },
  result: { done: 'done', skipped: 'skipped', failed: 'failed' },
} as const

const JobOutcomeTable = ({ counts, tense, moreColumns = [], ...table }: JobOutcomeTableProps) => (
  <DataTable
    {...table}
    columns={[
      {
        heading: 'Result',
        cell: (outcome) => (
          <span className={styles.outcome} data-kind={toOutcomeKind(outcome)}>
            {outcomeKindLabels[tense][toOutcomeKind(outcome)]}
          </span>
        ),
      },
      makeNumberColumn('Leads', (outcome: JobLeadOutcome) => counts[outcome]),
      { heading: 'Details', isWide: true, cell: (outcome) => outcomeDefinitions[outcome][tense] },
      ...moreColumns,
    ]}
    rows={jobLeadOutcomes.filter((outcome) => (counts[outcome] ?? 0) > 0)}
    keyOf={(outcome) => outcome}
  />
)

const JobDetails = ({ job }: { job: Job }) => (
  <section className={layout.card} aria-labelledby="details">
    <h2 id="details">Details</h2>
    <DescriptionList
      items={[
        job.who !== '' && [job.startedAt === null ? 'Planned by' : 'Started by', job.who],
        job.reason !== null && ['Reason', job.reason],
        ['Planned', <Timestamp key="planned" at={job.plannedAt} />],
        job.startedAt !== null && ['Started', <Timestamp key="started" at={job.startedAt} />],
        job.startedAt !== null && ['Rate', `${pluralize(job.rate, 'lead')} per second at most`],
        job.endedAt !== null && [
          job.cancelledAt === null ? 'Ended' : 'Canceled',
          <Timestamp key="ended" at={job.endedAt} />,
        ],
        ['Reference', <code key="reference">{job.id}</code>],
      ]}
    />
  </section>
)

function JobProgress({ job }: { job: Job }) {
  const state = toJobState(job)
  if (state === 'running' || state === 'paused') return <RunningJob job={job} />
  const [kind, heading, text] = describeJobStatus(job)
  return (
    <Callout kind={kind} heading={heading}>
      <p>{text}</p>
    </Callout>
  )
}

function describeJobStatus(job: Job): [CalloutProps['kind'], heading: string, text: ReactNode] {
  const { plan, members, done, report, startedAt } = job
  switch (toJobState(job)) {
    case 'planning':
      return [
        'note',
        `Planning: ${pluralize(plan.leads, 'lead')} checked so far`,
        'Nothing changes until you start the job.',
      ]
    case 'planned':
      if (plan.leads === 0) {
        const link = <a href="/leads">Change the filter</a>
        const text = <>Nothing was changed. {link} to plan another job.</>
        return ['note', 'No lead matches this filter', text]
      }
      return [
        'note',
        `Planned for ${pluralize(plan.leads, 'lead')}: nothing has changed yet`,
        <>
          Checked at <Timestamp at={job.plannedAt} />. The job checks each lead again before it
          changes the lead.
        </>,
      ]
    case 'gathering':
      return [
        'note',
        `Starting: ${pluralize(members, 'lead')} found so far`,
        'The job begins once it has found all leads.',
      ]
    case 'canceled': {
      if (startedAt === null) return ['note', 'Canceled before it started', 'Nothing was changed.']
      const left = pluralize(members - done, 'lead was', 'leads were')
      const text = `${left} not changed. Leads already processed stay as they are.`
      return ['note', `Canceled: ${describeOutcomeCounts(report)}`, text]
    }
    default:
      return [
        (report.failed ?? 0) > 0 ? 'problem' : 'well',
        members === 0 ? 'Done: no lead matched' : `Done: ${describeOutcomeCounts(report)}`,
        `${pluralize(members, 'lead')} in all.`,
      ]
  }
}

function RunningJob({ job }: { job: Job }) {
  const { done, members, pausedAt } = job
  return (
    <section className={styles.progress} aria-labelledby="progress">
      <h2 id="progress">
        {pausedAt === null ? 'Running' : 'Paused'}: {Math.floor(findJobProgress(job) * 100)}%
      </h2>
      <progress aria-labelledby="progress" max={Math.max(1, members)} value={done} />
      <p>
        {formatNumber(done)} of {pluralize(members, 'lead')}
        {pausedAt !== null && (
          <>
            , paused since <Timestamp at={pausedAt} />
          </>
        )}
      </p>
    </section>
  )
}

interface JobButtonsProps extends Pick<JobPageProps, 'job'> {
  /** Whether the role allows the job's action. Every role that may run jobs may pause or cancel any job. */
  mayRun: boolean
}

function JobButtons({ job, mayRun }: JobButtonsProps) {
  const state = toJobState(job)
  const form = (button: string, variant?: 'primary' | 'danger') => (
    <ButtonForm
      action={`/jobs/${job.id}/${button.toLowerCase()}`}
      button={button}
      name={`${button} this job`}
      variant={variant}
    />
  )
  return (
    <div className={styles.buttons}>
      {(state === 'gathering' || state === 'running') && form('Pause')}
      {state === 'paused' && mayRun && form('Resume', 'primary')}
      {job.endedAt === null && form('Cancel', 'danger')}
    </div>
  )
}

function StartJobForm({ job, start }: JobPageProps) {
  const needsStepUp = useNeedsStepUp()
  const errors = useFieldErrors()
  const address = `/jobs/${job.id}/start`
  const isErasing = job.action === 'erase'
  const processed = jobLeadOutcomes
    .filter((outcome) => toOutcomeKind(outcome) === 'done')
    .reduce((sum, outcome) => sum + (job.plan.byOutcome[outcome] ?? 0), 0)
  const act = `${actionLabels[job.action].name} ${pluralize(processed, 'lead')}`
  return (
    <section className={layout.card} aria-labelledby="start">
      <h2 id="start">Start this job</h2>
      {isErasing && (
        <Callout kind="problem" heading="This can’t be undone">
          <p>
            The job permanently erases names, phone numbers, and street, email and IP addresses.
            Erase this data from backups and earlier exports yourself.
          </p>
        </Callout>
      )}
      {isErasing && needsStepUp ? (
        <>
          <p>Erasing needs a sign-in within the last ten minutes.</p>
          <StepUpButton button="Confirm it’s you" />
        </>
      ) : (
        <PostForm className={styles.start} action={address} aria-label="Start">
          <fieldset className={styles.fields}>
            <legend>Reason and rate</legend>
            <ReasonField isRequired value={start.reason} />
            <TextField
              name="rate"
              label="Leads per second"
              type="text"
              inputMode="numeric"
              autoComplete="off"
              hint={`Enter a number from 1 to ${maxLeadsPerSecond}.${job.action === 'retry' ? ' The workers send retried leads at this rate.' : ''}`}
              error={errors.rate}
              value={start.rate}
            />
          </fieldset>
          <div className={styles.buttons}>
            <SubmitButton variant={isErasing ? 'danger' : 'primary'}>Start</SubmitButton>
            <p className={styles.quiet}>
              {act}. {actionLabels[job.action].effect}
            </p>
          </div>
        </PostForm>
      )}
    </section>
  )
}
