import type { BulkAction } from '#domain/job/job.ts'

/** The name of each action, and a sentence about what it does to the leads. */
export const actionLabels: Readonly<
  Record<BulkAction, { readonly name: string; readonly effect: string }>
> = {
  retry: {
    name: 'Retry',
    effect:
      'Makes the deliveries due now and starts their retry schedules again. Earlier attempts stay on record.',
  },
  release: {
    name: 'Release',
    effect: 'Releases the leads from quarantine. Each lead is delivered unless it is a duplicate.',
  },
  erase: {
    name: 'Erase',
    effect: 'Permanently erases names, addresses, phone numbers, emails and IP addresses.',
  },
}
