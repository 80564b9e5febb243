/**
 * A lead has the status of its delivery, or one of three others: a lead without a delivery is a `duplicate` (reading
 * 18), a lead in quarantine is `quarantined`, and an erased lead is `erased`. Lists show statuses in this order.
 */
export const leadStatuses = [
  'pending',
  'leased',
  'delivered',
  'rejected',
  'dead',
  'do-not-contact',
  'duplicate',
  'quarantined',
  'erased',
] as const

export type LeadStatus = (typeof leadStatuses)[number]

/**
 * A lead's status as the console shows it. Operators who may not reveal a lead see `not sent` instead of a status that
 * says something about the person: a duplicate, that the person has enquired before; `do-not-contact`, that the person
 * is on the list. docs/console.md says what these operators can still conclude.
 */
export type VisibleStatus = LeadStatus | 'not sent'

/** Whether a status says something about the person that an operator who may not reveal a lead mustn't learn. */
export const isPersonalStatus = (status: string): boolean =>
  status === 'duplicate' || status === 'do-not-contact'

export const toVisibleStatus = (status: LeadStatus, mayReveal: boolean): VisibleStatus =>
  isPersonalStatus(status) && !mayReveal ? 'not sent' : status

/** The console's labels for statuses. URLs, the command line and exported files keep the stored names. */
export const statusLabels: Readonly<Record<VisibleStatus, string>> = {
  pending: 'waiting',
  leased: 'sending',
  delivered: 'accepted',
  rejected: 'rejected',
  dead: 'failed',
  'do-not-contact': 'do not contact',
  duplicate: 'duplicate',
  quarantined: 'quarantined',
  erased: 'erased',
  'not sent': 'not sent',
}

/** The results that a lead can have, each with its key in counts, its label, and its condition on `/leads`. */
export const leadOutcomes = [
  ['delivered', 'accepted', 'status=delivered'],
  ['rejected', 'rejected', 'rejected=any'],
  ['owed', 'waiting', 'status=pending&status=leased'],
  ['dead', 'failed', 'status=dead'],
  ['do-not-contact', 'do not contact', 'status=do-not-contact'],
  ['quarantined', 'quarantined', 'status=quarantined'],
  ['duplicate', 'duplicates', 'status=duplicate'],
  ['erased', 'erased', 'status=erased'],
] as const

const causeLabels: Readonly<Record<string, string>> = {
  rejected: 'Rejected by the distributor’s rules',
  cap: 'Rejected: the monthly cap was reached',
}

export const describeRejectionCause = (cause: string): string =>
  causeLabels[cause] ?? `Rejected: ${cause}`
