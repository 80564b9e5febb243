import { Argument, Command } from 'commander'
import { type Job, standingOf } from '#domain/job/job.ts'
import { memberOutcomes, outcomeWords, verdictOf } from '#domain/job/member-outcome.ts'
import { progressOf } from '#domain/job/progress.ts'
import { reportInWords } from '#domain/job/report-in-words.ts'
import { counted } from '#domain/text/counted.ts'
import { jobInWords } from '#server/jobs/job-in-audit.ts'
import { makeManageJobs } from '#server/jobs/manage-jobs.ts'
import type { Store } from '#server/start/open-store.ts'
import { NotDoneError } from '../not-done-error.ts'
import { commandLineActor } from '../operators/command-line-actor.ts'
import { changeStore, withStore } from '../store/with-store.ts'
import { examples } from '../terminal/examples.ts'
import { print, printJson } from '../terminal/print.ts'
import { table } from '../terminal/table.ts'

interface Json {
  readonly json?: boolean
}

const mostListed = 50

export const jobsCommand = (): Command =>
  new Command('jobs')
    .description('acts on many leads, which are planned and started on the console')
    .addCommand(verb('list', 'the newest first').action(list))
    .addCommand(
      verb('show', 'what it does, how far it is and what came of it', idArgument).action(show),
    )
    .addCommand(
      verb('cancel', 'ends it at once; what is done stays done', idArgument).action(cancel),
    )
    .addHelpText('after', '\nEach with --json.')
    .addHelpText('after', examples('jobs list', 'jobs show 019bc0de-…', 'jobs cancel 019bc0de-…'))

const idArgument = new Argument('<id>', 'the job’s id')

const verb = (name: string, description: string, ...args: Argument[]): Command => {
  const command = new Command(name).description(description).option('--json', 'as JSON')
  for (const argument of args) command.addArgument(argument)
  return command
}

const managed = ({ jobs, index, audit }: Store) =>
  makeManageJobs({ jobs, finder: index, audit, clock: Date.now, onWork: () => undefined })

async function list({ json }: Json): Promise<void> {
  const jobs = await withStore(
    (store) => managed(store).list(commandLineActor(), { take: mostListed }),
    { json },
  )
  if (json) return printJson(jobs.map(toJson))
  if (jobs.length === 0) {
    return print('There is no job. The console makes them: Leads, then “Act on all leads…”.')
  }
  print(table(['Planned', 'Id', 'What', 'Standing', 'Came to', 'Who', 'Why'], jobs.map(rowOf)))
}

const rowOf = (job: Job): string[] => [
  new Date(job.plannedAt).toISOString(),
  job.id,
  jobInWords(job),
  standingOf(job),
  job.startedAt === null ? '' : reportInWords(job.report),
  job.who,
  job.reason ?? '',
]

async function show(id: string, { json }: Json): Promise<void> {
  const job = await withStore((store) => managed(store).find(commandLineActor(), id), { json })
  if (job === undefined) throw unknown(id)
  if (json) return printJson(toJson(job))
  print(factsOf(job).join('\n'))
}

function factsOf(job: Job): readonly string[] {
  const { plan, members, done, reason, who, rate, report } = job
  const { speed } = progressOf(job, Date.now())
  return [
    `${jobInWords(job)}: ${standingOf(job)}`,
    `planned ${new Date(job.plannedAt).toISOString()} for ${counted(plan.leads, 'lead')}${job.phase === 'planning' ? ' at least' : ''}`,
    ...(job.startedAt === null
      ? []
      : [
          `started ${new Date(job.startedAt).toISOString()} by ${who}, ${rate} a second: ${reason}`,
          `${done.toLocaleString('en-US')} of ${members.toLocaleString('en-US')}${speed === undefined ? '' : `, ${Math.round(speed)} a second of late`}`,
        ]),
    ...(job.endedAt === null ? [] : [`ended ${new Date(job.endedAt).toISOString()}`]),
    ...memberOutcomes
      .filter((outcome) => (report[outcome] ?? 0) > 0)
      .map(
        (outcome) =>
          `  ${verdictOf(outcome).padEnd(8)}${(report[outcome] ?? 0).toLocaleString('en-US').padStart(10)}  ${outcomeWords[outcome].came}`,
      ),
  ]
}

async function cancel(id: string, { json }: Json): Promise<void> {
  const job = await changeStore(
    async (store) => {
      const jobs = managed(store)
      const outcome = await jobs.cancel(commandLineActor(), id)
      if (outcome === 'unknown') throw unknown(id)
      if (outcome === 'as it was') {
        throw new NotDoneError(`Job ${id} has ended already. Nothing was changed.`)
      }
      return jobs.find(commandLineActor(), id)
    },
    { json },
  )
  if (job === undefined) throw unknown(id)
  if (json) return printJson(toJson(job))
  print(`Job ${id} is cancelled: ${reportInWords(job.report)}. What is done stays done.`)
}

const unknown = (id: string): NotDoneError =>
  new NotDoneError(`There is no job with the id ${id}. “jobs list” shows the ids.`)

const toJson = (job: Job) => ({ ...job, standing: standingOf(job) })
