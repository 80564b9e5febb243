import { setTimeout } from 'node:timers/promises'
import { pino } from 'pino'
import { type Job, jobState, maxRate } from '#domain/job/job.ts'
import { describeReport } from '#domain/job/member-outcome.ts'
import { JobRunner } from '#server/jobs/job-runner.ts'
import { findJob, type JobOrder, makeJobs } from '#server/jobs/jobs.ts'
import type { Store } from '#server/start/open-store.ts'
import { NotDoneError } from '../not-done-error.ts'
import { commandLineActor } from '../operators/command-line-actor.ts'
import { progressBar } from '../terminal/progress-bar.ts'

const lookEvery = 50

export const jobsOf = ({ database, index: finder, audit }: Store) =>
  makeJobs(database, { finder, audit, clock: Date.now, onWork: () => undefined })

/**
 * Runs a job to its end, with a progress bar. This process works on it; if it is killed, a server finishes the job.
 * @param reason the command as it was typed
 * @throws NotDoneError if an operator pauses or cancels it meanwhile
 */
export async function runJob(
  store: Store,
  order: JobOrder,
  {
    reason,
    doing,
    total,
  }: { readonly reason: string; readonly doing: string; readonly total: number },
): Promise<Job> {
  const { database, index: finder } = store
  const id = await jobsOf(store).run(commandLineActor(), order, { reason, rate: maxRate })
  const { promise: failed, reject } = Promise.withResolvers<never>()
  const runner = new JobRunner(database, {
    finder,
    clock: Date.now,
    log: pino({ enabled: false }),
    failureLog: { failed: reject, succeeded: () => undefined },
    onDue: () => undefined,
    only: id,
  })
  const bar = progressBar(doing, total)
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
      if (job === undefined) throw new NotDoneError(`Job ${id} no longer exists.`)
      bar.update(job.done)
      const state = jobState(job)
      if (state === 'done') return job
      if (state === 'paused' || state === 'cancelled') {
        throw new NotDoneError(
          `An operator ${state} job ${id}: ${describeReport(job.report)}. Leads that are done stay as they are.`,
        )
      }
      await setTimeout(lookEvery)
    }
  }
}
