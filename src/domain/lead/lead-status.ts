/**
 * A lead's status is its delivery's status, except `duplicate` for a lead without a delivery (reading 18), `quarantined`
 * until the operator releases the lead, and `erased` after an erasure. Lists keep this order.
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

/**
 * A lead's status as the console shows it. Operators without the right to reveal a lead see `not sent` for `duplicate`,
 * because a duplicate says that this person has enquired before. See docs/console.md for what these operators can still
 * conclude.
 */
export type VisibleStatus = LeadStatus | 'not sent'

export const toVisibleStatus = (status: LeadStatus, mayReveal: boolean): VisibleStatus =>
  status === 'duplicate' && !mayReveal ? 'not sent' : status

/** The console's labels for statuses. URLs, the command line and files keep the stored names. */
export const statusLabels: Readonly<Record<VisibleStatus, string>> = {
  pending: 'waiting',
  leased: 'sending',
  delivered: 'accepted',
  rejected: 'rejected',
  dead: 'failed',
  duplicate: 'duplicate',
  quarantined: 'quarantined',
  erased: 'erased',
  'not sent': 'not sent',
}
