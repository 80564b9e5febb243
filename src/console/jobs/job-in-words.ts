import type { BulkAction } from '#domain/job/bulk-action.ts'
import type { JobStanding } from '#domain/job/job.ts'
import type { Verdict } from '#domain/job/member-outcome.ts'

interface ActionWords {
  readonly name: string
  readonly does: string
}

export const actionWords: Readonly<Record<BulkAction, ActionWords>> = {
  retry: {
    name: 'Retry',
    does: 'Makes their deliveries due at once. Schedules start anew; attempts are kept.',
  },
  release: {
    name: 'Release',
    does: 'Lets them out of quarantine: each owes its delivery, unless it repeats another.',
  },
  erase: {
    name: 'Erase',
    does: 'Erases their people for good: name, address, phone, email and IP. Cannot be undone.',
  },
}

export const standingWords: Readonly<Record<JobStanding, string>> = {
  planning: 'being planned',
  planned: 'planned',
  gathering: 'begins',
  running: 'runs',
  paused: 'paused',
  cancelled: 'cancelled',
  done: 'done',
}

export const verdictWords: Readonly<Record<Verdict, string>> = {
  done: 'done',
  skipped: 'skipped',
  failed: 'failed',
}

/** A duration to plan by, not to measure with. */
export function roughly(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (ms < 60_000) return 'less than a minute'
  if (minutes < 90) return `about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
  return `about ${Math.round(minutes / 60)} hours`
}
