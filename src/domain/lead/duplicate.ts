import type { Lead } from './lead.ts'
import { nameKey } from './name-key.ts'

/** The same person asking for the same program within this time is one lead (reading 18). */
export const duplicateWindowMs = 24 * 60 * 60 * 1000

/**
 * What makes two leads the same enquiry: email, phone, program and name. Without the name whoever knows somebody's email
 * and phone could enquire before them, as anybody, and their own enquiry would never be sent. Hash it before it is
 * stored.
 */
export function dedupeKeyOf(
  lead: Pick<Lead, 'email' | 'phone' | 'program' | 'firstName' | 'lastName'>,
): string {
  return [lead.email.trim().toLowerCase(), lead.phone, lead.program.id, nameKey(lead)].join('\n')
}
