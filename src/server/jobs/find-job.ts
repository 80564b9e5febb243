import type { Job } from '#domain/job/job.ts'
import { isLeadId } from '#domain/lead/lead-id.ts'
import type { JobStore } from './job-store.ts'

/** Ids of jobs have the same shape as those of leads; what has another names none. */
export const findJob = async (
  jobs: Pick<JobStore, 'find'>,
  id: string,
): Promise<Job | undefined> => (isLeadId(id) ? jobs.find(id) : undefined)
