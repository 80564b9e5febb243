import { randomUUID } from 'node:crypto'
import type { LeadRequest } from '#contract/lead-request.ts'

type Example = Omit<LeadRequest, 'addressVerified'>

/** A body that `POST /api/leads` accepts, of a new person unless `lead` names one. */
export function exampleLead(lead: Partial<LeadRequest['lead']> = {}): Example {
  return {
    lead: {
      firstName: 'Zoë',
      lastName: "O'Neill",
      phone: '(941) 555-0100',
      email: `${randomUUID()}@example.com`,
      address: '123 Main St',
      zip: '34236',
      city: 'Sarasota',
      state: 'FL',
      educationLevel: 790,
      graduatingYear: 2012,
      programId: 1,
      startDate: 'immediately',
      ...lead,
    },
    category: 'business',
    consent: true,
  }
}

/** An idempotency key for a new enquiry. */
export const newKey = () => ({ 'idempotency-key': randomUUID() })
