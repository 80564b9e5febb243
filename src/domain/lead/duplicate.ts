import type { Lead } from './lead.ts'

/** The same person asking for the same program within this time is one lead (ruling 18). */
export const duplicateWindowMs = 24 * 60 * 60 * 1000

/** What makes two leads the same enquiry: email, phone and program. Hash it before it is stored. */
export function dedupeKeyOf(lead: Pick<Lead, 'email' | 'phone' | 'program'>): string {
  return [lead.email.trim().toLowerCase(), lead.phone, lead.program.id].join('\n')
}
