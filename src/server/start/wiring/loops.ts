import { makeBacklogSampler } from '#server/delivery/delivery-rollups.ts'
import { JobRunner } from '#server/jobs/job-runner.ts'
import { makeEarlierLeadsJob } from '#server/leads/lead-index-rows.ts'
import { makeHeldReleasesJob } from '#server/leads/quarantine/held-releases-job.ts'
import { releaseInAudit } from '#server/leads/release-leads.ts'
import { makeExpiryLoop } from '#server/operators/sessions.ts'
import type { RoleParts } from './role-parts.ts'

interface LoopEvents {
  /** A job or the end of a time to undo has made deliveries due. */
  readonly onDue: () => void
}

/**
 * Background work beside visitors and deliveries, in every process except those that serve
 * visitors alone. Counts that no process keeps for a while would have to be rebuilt afterwards.
 */
export function makeLoops(parts: RoleParts, { onDue }: LoopEvents) {
  const { store, clock, log, failureLogOf } = parts
  const jobs = new JobRunner(store.database, {
    // A filter that takes too long is tried again and can be cancelled; nothing else waits for it.
    finder: store.forConsole.index,
    clock,
    log,
    failureLog: failureLogOf('jobs'),
    onDue,
  })
  const loops = [
    jobs,
    makeHeldReleasesJob({
      releaseDue: () => store.heldReleases.releaseDue(clock(), releaseInAudit),
      onReleased: onDue,
      failureLog: failureLogOf('releases from quarantine'),
    }),
    makeEarlierLeadsJob({
      indexEarlierLeads: (take) => store.index.indexEarlierLeads(take),
      failureLog: failureLogOf('lists of the console'),
    }),
    makeExpiryLoop({ db: store.operators.db, clock }, failureLogOf('deletion of expired sign-ins')),
    makeBacklogSampler({ ...store, clock }, failureLogOf('charts of deliveries')),
  ]
  return {
    start: () => {
      for (const loop of loops) loop.start()
    },
    /** A job was started or changed: it need not wait for the next look. */
    wakeJobs: () => jobs.wake(),
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}
