import type { Job } from '#domain/job/job.ts'
import type { AuditAction } from '#domain/operator/audit-action.ts'
import { type AuditLog, audited } from '#server/operators/audit.ts'
import { authorise } from '#server/operators/authorise.ts'
import type { Actor } from '#server/operators/operator.ts'
import { findJob } from './find-job.ts'
import { jobInWords, standingInWords } from './job-in-audit.ts'
import { mayRun } from './job-rights.ts'
import type { JobStore } from './job-store.ts'

export type StartOutcome = 'started' | 'unknown' | 'empty' | 'not planned' | 'begun already'
export type ChangeOutcome = 'changed' | 'unknown' | 'as it was'

export interface RunJobsPorts {
  readonly jobs: Pick<JobStore, 'find' | 'start' | 'pause' | 'resume' | 'cancel'>
  readonly audit: AuditLog
  readonly clock: () => number
  /** Called when there is something to do for who works at jobs. */
  readonly onWork: () => void
}

interface Change {
  readonly actor: Actor
  readonly id: string
  readonly action: AuditAction
}

/** A planned job is started with a reason, paused, resumed and cancelled. */
export function makeRunJobs({ jobs, audit, clock, onWork }: RunJobsPorts) {
  async function findToRun(actor: Actor, id: string): Promise<Job | undefined> {
    authorise(actor, 'run jobs', clock())
    const job = await findJob(jobs, id)
    if (job !== undefined) mayRun(actor, job.action, clock())
    return job
  }

  /** Says of a job that something is done to it, does it, and says what came of it. */
  async function change(
    { actor, id, action }: Change,
    run: (id: string, at: number) => Promise<boolean>,
  ): Promise<ChangeOutcome> {
    const at = clock()
    authorise(actor, 'run jobs', at)
    if ((await findJob(jobs, id)) === undefined) return 'unknown'
    const isChanged = await audited(
      audit,
      { actor, at, action, subject: id },
      async () => ((await run(id, at)) ? ((await jobs.find(id)) ?? false) : false),
      (job) => (job ? standingInWords(job) : 'not done: it was so already, or has ended'),
    )
    return isChanged ? 'changed' : 'as it was'
  }

  return {
    /** Asks for passkey or password where the act does, before anything is typed. */
    beforeStarting: findToRun,
    /** From now on it is about the leads that its filter means now. */
    start: async (
      actor: Actor,
      id: string,
      { reason, rate }: { readonly reason: string; readonly rate: number },
    ): Promise<StartOutcome> => {
      const at = clock()
      authorise(actor, 'run jobs', at)
      const job = await findJob(jobs, id)
      if (job === undefined) return 'unknown'
      mayRun(actor, job.action, at)
      if (job.phase === 'planning') return 'not planned'
      if (job.phase !== 'planned') return 'begun already'
      if (job.plan.leads === 0) return 'empty'
      const isStarted = await audited(
        audit,
        { actor, at, action: 'started a job', subject: id, reason },
        () => jobs.start(id, { by: actor, reason, rate, at }),
        (done) =>
          done ? `${jobInWords(job)}, ${rate} a second` : 'not done: it had begun already',
      )
      onWork()
      return isStarted ? 'started' : 'begun already'
    },
    pause: (actor: Actor, id: string): Promise<ChangeOutcome> =>
      change({ actor, id, action: 'paused a job' }, jobs.pause),
    resume: async (actor: Actor, id: string): Promise<ChangeOutcome> => {
      await findToRun(actor, id)
      const outcome = await change({ actor, id, action: 'resumed a job' }, () =>
        jobs.resume(id, actor),
      )
      onWork()
      return outcome
    },
    cancel: (actor: Actor, id: string): Promise<ChangeOutcome> =>
      change({ actor, id, action: 'cancelled a job' }, jobs.cancel),
  }
}
