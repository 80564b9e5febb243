import { type Job, standingOf } from '#domain/job/job.ts'
import { reportInWords } from '#domain/job/report-in-words.ts'

/** `retry of status=dead`, as it may stand in the audit: nobody is named. */
export const jobInWords = ({
  action,
  query,
  isOfSearch,
}: Pick<Job, 'action' | 'query' | 'isOfSearch'>): string =>
  [
    `${action} of ${query === '' ? 'every lead' : query}`,
    ...(isOfSearch ? ['of a person searched for'] : []),
  ].join(', ')

/** How far it has come, and what came of its leads. */
export const standingInWords = (job: Job): string =>
  job.startedAt === null
    ? `${standingOf(job)}, before it was started`
    : `${standingOf(job)}: ${reportInWords(job.report)} of ${job.members.toLocaleString('en-US')}`
