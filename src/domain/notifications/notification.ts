/** Who receives notifications: an affiliate through its postback, or the operator's own system through a webhook. */
export type NotificationKind = 'postback' | 'webhook'

/** The events of a lead that notifications report. `returned`: the distributor returned the lead later. */
export const leadEvents = ['accepted', 'rejected', 'returned'] as const

export type LeadEvent = (typeof leadEvents)[number]

export const isLeadEvent = (text: string): text is LeadEvent =>
  leadEvents.some((event) => event === text)

/** An operator sends a test to see whether the destination answers. */
export type NotificationEvent = LeadEvent | 'test'

/** Why a notification ended without another attempt. */
export type NotSentReason = 'unreadable' | 'removed' | 'erased' | 'expired'

/** Names one webhook or one affiliate with a postback. */
export interface Destination {
  readonly kind: NotificationKind
  readonly id: string
}
