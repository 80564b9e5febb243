import type { Job } from '#domain/job/job.ts'
import { isAllowed } from '#domain/operator/rights.ts'
import { maskQuery } from '#server/leads/list/names-person.ts'
import { authorise } from '#server/operators/authorise.ts'
import type { Actor } from '#server/operators/operator.ts'
import { findJob } from './find-job.ts'
import type { JobStore } from './job-store.ts'
import { makePlanJobs, type PlanJobsPorts } from './plan-jobs.ts'
import { makeRunJobs, type RunJobsPorts } from './run-jobs.ts'

type ManageJobsPorts = PlanJobsPorts & RunJobsPorts & { readonly jobs: JobStore }

/** Acts on all leads that a filter means: seen, planned and run. */
export function makeManageJobs(ports: ManageJobsPorts) {
  const { jobs, clock } = ports
  return {
    list: async (actor: Actor, query: Parameters<JobStore['list']>[0]): Promise<readonly Job[]> => {
      authorise(actor, 'see jobs', clock())
      return (await jobs.list(query)).map((job) => shownTo(actor, job))
    },
    find: async (actor: Actor, id: string): Promise<Job | undefined> => {
      authorise(actor, 'see jobs', clock())
      const job = await findJob(jobs, id)
      return job && shownTo(actor, job)
    },
    members: async (actor: Actor, id: string, query: Parameters<JobStore['members']>[1]) => {
      authorise(actor, 'see jobs', clock())
      return jobs.members(id, query)
    },
    ...makePlanJobs(ports),
    ...makeRunJobs(ports),
  }
}

/** Who made a job and why is part of the audit log, and its filter may name a person. */
const shownTo = (actor: Actor, job: Job): Job =>
  actor.kind === 'console' && !isAllowed(actor.role, 'see the audit')
    ? { ...job, who: '', reason: null, query: maskQuery(job.query) }
    : job

export type ManageJobs = ReturnType<typeof makeManageJobs>
