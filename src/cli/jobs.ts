import { setTimeout } from 'node:timers/promises'
import type { Command } from 'commander'
import { pino } from 'pino'
import { formatIsoTime } from '#domain/calendar.ts'
import { maxLeadsPerSecond, toJobState } from '#domain/job/job.ts'
import {
  describeOutcomeCounts,
  jobLeadOutcomes,
  outcomeDefinitions,
  toOutcomeKind,
} from '#domain/job/job-lead-outcome.ts'
import { pluralize } from '#domain/text/formats.ts'
import { JobRunner } from '#server/jobs/job-runner.ts'
import { describeJobRequest } from '#server/jobs/job-step.ts'
import { findJob, type Job, type JobRequest } from '#server/jobs/jobs.ts'
import { makeCommand, makeCommandGroup, reportRows } from './command.ts'
import { CommandError } from './errors.ts'
import type { CommandContext } from './store.ts'
import { formatTable, makeProgressBar } from './terminal.ts'

const maxListed = 50

export function makeJobsCommand(): Command {
  const about = 'actions on many leads at once; operators plan and start jobs on the console'
  const makeWithId = (name: string, description: string) =>
    makeCommand(name, description, [`jobs ${name} 019bc0de-…`]).argument('<id>', 'the job’s id')
  return makeCommandGroup('jobs', about, 'list', [
    makeCommand('list', 'lists jobs, the newest first', ['jobs list']).readsStore(listJobs),
    makeWithId('show', 'shows a job’s leads, progress and results').readsStore(showJob),
    makeWithId('cancel', 'stops a job now; leads already processed stay as they are').changesStore(
      cancelJob,
    ),
  ])
}

async function listJobs({ store, actor, actions }: CommandContext) {
  const jobs = await actions.jobs.list(actor, { take: maxListed })
  return reportRows(
    jobs.map(toJson),
    (job) => ({
      Planned: formatIsoTime(job.plannedAt, store.zone),
      Id: job.id,
      Action: describeJobRequest(job),
      Status: toJobState(job),
      Results: job.startedAt === null ? '' : describeOutcomeCounts(job.report),
      Operator: job.who,
      Reason: job.reason ?? '',
    }),
    'No jobs yet. To plan a job, select the leads on the console’s page Leads and plan the job there.',
  )
}

async function showJob({ store, actor, actions }: CommandContext, id: string) {
  const job = await actions.jobs.find(actor, id)
  if (job === undefined) throw makeUnknownJobError(id)
  return {
    json: toJson(job),
    text: describeJob(job, store.zone),
  }
}

function describeJob(job: Job, zone: string): string {
  const { plan, members, done, reason, who, rate, report, startedAt, endedAt } = job
  const planned = [
    `${describeJobRequest(job)}: ${toJobState(job)}`,
    `planned ${formatIsoTime(job.plannedAt, zone)} for ${pluralize(plan.leads, 'lead')}`,
  ]
  if (startedAt === null) return planned.join('\n')
  const rows = jobLeadOutcomes
    .filter((outcome) => (report[outcome] ?? 0) > 0)
    .map((outcome) => [
      toOutcomeKind(outcome),
      String(report[outcome]),
      outcomeDefinitions[outcome].result,
    ])
  return [
    ...planned,
    `started ${formatIsoTime(startedAt, zone)} by ${who}, ${rate} leads per second: ${reason}`,
    `processed ${done.toLocaleString('en-US')} of ${pluralize(members, 'lead')}`,
    ...(endedAt === null ? [] : [`ended ${formatIsoTime(endedAt, zone)}`]),
    formatTable(['Result', 'Leads', 'Reason'], rows),
  ].join('\n')
}

async function cancelJob({ actor, actions: { jobs } }: CommandContext, id: string) {
  if ((await jobs.cancel(actor, id)) === 'unchanged') {
    throw new CommandError(`Job ${id} has already ended. Nothing was changed.`)
  }
  const job = await jobs.find(actor, id)
  if (job === undefined) throw makeUnknownJobError(id)
  return {
    json: toJson(job),
    text: `Job ${id} is canceled: ${describeOutcomeCounts(job.report)}. Leads already processed stay as they are.`,
  }
}

const makeUnknownJobError = (id: string): CommandError =>
  new CommandError(`No job has the id ${id}. “jobs list” shows the ids.`)

function toJson(job: Job) {
  const state = toJobState(job)
  // Scripts read the spelling of release 0.3.0.
  return { ...job, standing: state === 'canceled' ? 'cancelled' : state }
}

const pollIntervalMs = 50

/**
 * Runs a job to its end and shows its progress. If this process is killed, a server finishes the job.
 * @param reason the command that the operator typed
 * @throws CommandError if an operator pauses or cancels the job before it ends
 */
export async function runJobToEnd(
  { store, actor, actions }: CommandContext,
  request: JobRequest,
  reason: string,
): Promise<Job> {
  const { database, clock } = store
  const rate = maxLeadsPerSecond
  const id = await actions.jobs.run(actor, request, { reason, rate })
  const { promise: failed, reject } = Promise.withResolvers<never>()
  const runner = new JobRunner(database, {
    clock,
    log: pino({ enabled: false }),
    failureLog: { failed: reject, succeeded: () => undefined },
    onDue: () => undefined,
    only: id,
  })
  const bar = makeProgressBar(reason)
  runner.start()
  try {
    return await Promise.race([untilEnded(), failed])
  } finally {
    await runner.stop()
    bar.end()
  }

  async function untilEnded(): Promise<Job> {
    for (;;) {
      const job = await findJob(database.db, id)
      if (job === undefined) throw new CommandError(`Job ${id} no longer exists.`)
      bar.update(job.done, job.members)
      const state = toJobState(job)
      if (state === 'done') return job
      if (state === 'paused' || state === 'canceled') {
        throw new CommandError(
          `An operator ${state} job ${id}: ${describeOutcomeCounts(job.report)}. Leads already processed stay as they are.`,
        )
      }
      await setTimeout(pollIntervalMs)
    }
  }
}
