import type { BulkAction } from '#domain/job/job.ts'

/** The name of each bulk action, with a sentence about what the action does to the leads. */
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
    effect: 'Releases the leads from quarantine. Workers then send each lead that is no duplicate.',
  },
  erase: {
    name: 'Erase',
    effect: 'Permanently erases names, phone numbers, and street, email and IP addresses.',
  },
}
