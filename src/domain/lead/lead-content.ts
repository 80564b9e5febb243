import type { Lead } from './lead.ts'
import { serializeAnswers } from './stored-answers.ts'

/**
 * Returns the same text for all leads with the same answers (reading 23). What the browser, the address service or a link
 * adds may change although the answers stay the same.
 */
export const serializeContent = (lead: Omit<Lead, 'id' | 'receivedAt' | 'consent'>): string =>
  JSON.stringify([lead.area, ...serializeAnswers(lead)])
