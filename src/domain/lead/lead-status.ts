import type { DeliveryStatus } from '../delivery/delivery.ts'

/**
 * A lead's status: its delivery's; `duplicate` where it owes none (0028), `quarantined` where it
 * owes none until the operator releases it; `erased`, whatever became of its
 * delivery, once its person's data are gone.
 */
export type LeadStatus = DeliveryStatus | 'duplicate' | 'quarantined'

export const leadStatuses: readonly LeadStatus[] = [
  'pending',
  'leased',
  'delivered',
  'rejected',
  'dead',
  'duplicate',
  'quarantined',
  'erased',
]
