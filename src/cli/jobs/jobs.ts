import { Argument, Command } from 'commander'
import { type Job, jobState, progressOf } from '#domain/job/job.ts'
import { describeReport, memberOutcomes, outcomes, verdictOf } from '#domain/job/member-outcome.ts'
import { counted } from '#domain/text/counted.ts'
import { describeOrder } from '#server/jobs/jobs.ts'
import { NotDoneError } from '../not-done-error.ts'
import { commandLineActor } from '../operators/command-line-actor.ts'
import { changeStore, withStore } from '../store/with-store.ts'
import { examples, print, printJson, table } from '../terminal/print.ts'
import { jobsOf } from './run-job.ts'

interface Json {
  readonly json?: boolean
}

const mostListed = 50

export const jobsCommand = (): Command =>
  new Command('jobs')
    .description('actions on many leads at once; plan and start them on the console')
    .addCommand(verb('list', 'the newest first').action(list))
    .addCommand(verb('show', 'its leads, progress and results', idArgument).action(show))
    .addCommand(
      verb('cancel', 'stops it now; leads that are done stay as they are', idArgument).action(
        cancel,
      ),
    )
    .addHelpText('after', '\nEach with --json.')
    .addHelpText('after', examples('jobs list', 'jobs show 019bc0de-…', 'jobs cancel 019bc0de-…'))

const idArgument = new Argument('<id>', 'the job’s id')

const verb = (name: string, description: string, ...args: Argument[]): Command => {
  const command = new Command(name).description(description).option('--json', 'as JSON')
  for (const argument of args) command.addArgument(argument)
  return command
}

async function list({ json }: Json): Promise<void> {
  const jobs = await withStore(
    (store) => jobsOf(store).list(commandLineActor(), { take: mostListed }),
    { json },
  )
  if (json) return printJson(jobs.map(toJson))
  if (jobs.length === 0) {
    return print(
      'No jobs yet. To plan one, open Leads on the console and select “Act on all leads…”.',
    )
  }
  print(
    table(['Planned', 'Id', 'Action', 'State', 'Results', 'Operator', 'Reason'], jobs.map(rowOf)),
  )
}

const rowOf = (job: Job): string[] => [
  new Date(job.plannedAt).toISOString(),
  job.id,
  describeOrder(job),
  jobState(job),
  job.startedAt === null ? '' : describeReport(job.report),
  job.who,
  job.reason ?? '',
]

async function show(id: string, { json }: Json): Promise<void> {
  const job = await withStore((store) => jobsOf(store).find(commandLineActor(), id), { json })
  if (job === undefined) throw unknown(id)
  if (json) return printJson(toJson(job))
  print(factsOf(job).join('\n'))
}

function factsOf(job: Job): readonly string[] {
  const { plan, members, done, reason, who, rate, report } = job
  const { speed } = progressOf(job, Date.now())
  return [
    `${describeOrder(job)}: ${jobState(job)}`,
    `planned ${new Date(job.plannedAt).toISOString()} for ${counted(plan.leads, 'lead')}${job.phase === 'planning' ? ' so far' : ''}`,
    ...(job.startedAt === null
      ? []
      : [
          `started ${new Date(job.startedAt).toISOString()} by ${who}, ${rate} a second: ${reason}`,
          `${done.toLocaleString('en-US')} of ${members.toLocaleString('en-US')}${speed === undefined ? '' : `, ${Math.round(speed)} a second`}`,
        ]),
    ...(job.endedAt === null ? [] : [`ended ${new Date(job.endedAt).toISOString()}`]),
    ...memberOutcomes
      .filter((outcome) => (report[outcome] ?? 0) > 0)
      .map(
        (outcome) =>
          `  ${verdictOf(outcome).padEnd(8)}${(report[outcome] ?? 0).toLocaleString('en-US').padStart(10)}  ${outcomes[outcome].result}`,
      ),
  ]
}

async function cancel(id: string, { json }: Json): Promise<void> {
  const job = await changeStore(
    async (store) => {
      const jobs = jobsOf(store)
      const outcome = await jobs.cancel(commandLineActor(), id)
      if (outcome === 'unknown') throw unknown(id)
      if (outcome === 'as it was') {
        throw new NotDoneError(`Job ${id} has already ended. Nothing was changed.`)
      }
      return jobs.find(commandLineActor(), id)
    },
    { json },
  )
  if (job === undefined) throw unknown(id)
  if (json) return printJson(toJson(job))
  print(
    `Job ${id} is cancelled: ${describeReport(job.report)}. Leads that are done stay as they are.`,
  )
}

const unknown = (id: string): NotDoneError =>
  new NotDoneError(`No job has the id ${id}. “jobs list” shows the ids.`)

const toJson = (job: Job) => ({ ...job, standing: jobState(job) })
