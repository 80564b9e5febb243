/**
 * A lead's status: its delivery's; `duplicate` where it owes none (reading 18), `quarantined` where it
 * owes none until the operator releases it; `erased`, whatever became of its
 * delivery, once its person's data are gone. In the order that lists and figures have them in.
 */
export const leadStatuses = [
  'pending',
  'leased',
  'delivered',
  'rejected',
  'dead',
  'duplicate',
  'quarantined',
  'erased',
] as const

export type LeadStatus = (typeof leadStatuses)[number]
