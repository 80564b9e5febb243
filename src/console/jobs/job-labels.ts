import type { BulkAction, JobState } from '#domain/job/job.ts'

interface ActionLabel {
  readonly name: string
  /** A sentence about the action's effect on the leads. */
  readonly does: string
}

export const actionLabels: Readonly<Record<BulkAction, ActionLabel>> = {
  retry: {
    name: 'Retry',
    does: 'Makes the deliveries due now and starts their retry schedules again. Earlier attempts stay on record.',
  },
  release: {
    name: 'Release',
    does: 'Releases the leads from quarantine. Each lead is delivered unless it is a duplicate.',
  },
  erase: {
    name: 'Erase',
    does: 'Permanently erases names, addresses, phone numbers, emails and IP addresses.',
  },
  purge: {
    name: 'Purge',
    does: 'Erases the answers of leads that are older than their retention period.',
  },
}

export const describeJobState = (state: JobState): string =>
  state === 'gathering' ? 'starting' : state
