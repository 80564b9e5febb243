import { hour, minute } from '#domain/durations.ts'
import { cleanUpJobs, JobRunner } from '#server/jobs/job-runner.ts'
import { indexLeadsOfPreviousVersion } from '#server/leads/lead-index-rows.ts'
import { makePollingLoop } from '#server/platform/polling-loop.ts'
import { deleteExpiredRows } from '#server/store/expired-rows.ts'
import type { SharedDependencies } from './shared-dependencies.ts'

/**
 * The number of leads indexed in one transaction, and the pause before the next transaction, so that SQLite's other
 * writers get most of the time.
 */
const indexAtOnce = 100
const betweenIndexingMs = 100

const betweenDeletionsMs = 100

const betweenCountsMs = 100

/**
 * Runs background work in every process that does more than serve visitors. Several processes may do the same work at
 * once.
 * @param onDue called when a job has made deliveries due
 */
export function makeBackgroundLoops(
  {
    store,
    clock,
    log,
    failureLogOf,
  }: Pick<SharedDependencies, 'store' | 'clock' | 'log' | 'failureLogOf'>,
  onDue: () => void,
) {
  const { db } = store.database
  const jobs = new JobRunner(store.database, {
    clock,
    log,
    failureLog: failureLogOf('jobs'),
    onDue,
  })
  /** @param work resolves with the wait before the next run, if it differs from `ms` */
  const every = (ms: number, about: string, work: () => Promise<number | undefined>) =>
    makePollingLoop(async () => (await work()) ?? ms, failureLogOf(about), ms)
  const loops = [
    jobs,
    // Completes the index rows of leads that a process of the previous version stored.
    every(10_000, 'lists of the console', async () => {
      const indexed = await indexLeadsOfPreviousVersion(db, indexAtOnce)
      return indexed === indexAtOnce ? betweenIndexingMs : undefined
    }),
    every(minute, 'counting of visits', async () =>
      (await store.visits.countEnded(clock())) > 0 ? betweenCountsMs : undefined,
    ),
    every(hour, 'deletion of expired rows', async () => {
      await deleteExpiredRows(db, clock())
      return undefined
    }),
    every(hour, 'deletion of old lists of jobs', async () =>
      (await cleanUpJobs(db, clock())) ? betweenDeletionsMs : undefined,
    ),
  ]
  return {
    start: () => {
      for (const loop of loops) loop.start()
    },
    /** Makes the job runner look for jobs at once, because a job was started or changed. */
    wakeJobs: () => jobs.wake(),
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}
