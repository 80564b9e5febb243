import type { ListedLead } from '#server/leads/list-leads.ts'

/** A row of the leads' list, about which little is known. */
export const listedLead: ListedLead = {
  id: '019ab3f2-0000-7000-8000-00000000d4e1',
  reference: '',
  receivedAt: Date.UTC(2026, 10, 22, 4, 12),
  initials: 'Z. Ø.',
  area: 'business',
  programName: 'MBA',
  status: 'dead',
  attempts: 1,
  error: null,
  reason: undefined,
  state: null,
  affiliate: null,
  source: null,
  campaign: null,
  isVerified: null,
  isUnreadable: false,
  isHeld: false,
  isReturned: false,
  signals: [],
  corrects: null,
  correctedBy: [],
}
