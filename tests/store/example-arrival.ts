import { createHash, randomUUID, randomUUIDv7 } from 'node:crypto'
import { makeDedupeKey } from '#domain/lead/duplicate.ts'
import type { Consent, Lead } from '#domain/lead/lead.ts'
import type { LeadArrival } from '#server/enquiries/lead-arrival.ts'

export const exampleTime = Date.UTC(2026, 0, 15, 12)

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const disclosure = 'I agree that the school may email me — at any time.'
const consent: Consent = {
  text: disclosure,
  textHash: sha256(disclosure),
  at: exampleTime - 1000,
  ip: '203.0.113.7',
  userAgent: 'Example/1.0',
  pageUrl: 'https://school.example/healthcare',
}

/** A lead as accept-enquiry passes it on, of a new person unless `lead` names one. */
export function exampleArrival(
  lead: Partial<Lead> = {},
  idempotencyKey: string = randomUUID(),
): LeadArrival {
  const whole: Lead = {
    id: randomUUIDv7(),
    receivedAt: exampleTime,
    area: 'healthcare',
    subId: 'affiliate 7',
    firstName: 'Zoë',
    lastName: "O'Neill",
    phone: '9415550100',
    email: `${randomUUID()}@example.com`,
    address: '1 Palm Avenue',
    city: 'Sarasota',
    state: 'FL',
    zip: '34236',
    zipPlus4: null,
    addressVerified: true,
    educationLevel: 790,
    graduatingYear: 2012,
    program: {
      id: 12,
      name: 'B.S. Nursing (RN to BSN)',
      active: true,
      types: ['Healthcare'],
      degreeType: 'Bachelors',
    },
    startDate: 'one-to-three-months',
    gpc: false,
    openedAt: null,
    attribution: {
      first: { utm_source: 'google', gclid: 'click 1' },
      last: {
        utm_source: 'news',
        utm_campaign: 'spring sale',
        utm_medium: 'cpc',
        utm_content: 'ad 7',
        referrer: 'news.example',
      },
    },
    consent,
    ...lead,
  }
  return {
    lead: whole,
    idempotencyKey,
    dedupeKey: sha256(makeDedupeKey(whole)),
    signals: [],
    isQuarantined: false,
  }
}
