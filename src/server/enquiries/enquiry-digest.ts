import { hash } from 'node:crypto'
import type { CompleteEnquiry } from './new-lead.ts'

/**
 * Names an enquiry that was sent, for as long as it may be sent again: by its key and by what it says, as the same key
 * with other content is another enquiry (reading 23). SHA-256, hex, so that nobody's answers are kept for it.
 */
export const enquiryDigest = (
  idempotencyKey: string,
  { area, answers }: Pick<CompleteEnquiry, 'area' | 'answers'>,
): string => hash('sha256', JSON.stringify([idempotencyKey, area, answers]))
