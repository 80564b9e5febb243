import type { LegalNames } from './legal-page.ts'

/** Names for tests: no real school, addresses that RFC 2606 reserves. */
export const sampleNames: LegalNames = {
  school: 'Northgate Online University',
  operator: 'Lantern Enrollment',
  privacyEmail: 'privacy@lantern.example',
  unsubscribeUrl: 'https://unsubscribe.example/form',
  cookies: {
    tokens: ['__Host-XSRF-TOKEN', 'XSRF-TOKEN'],
    affiliate: '__Host-affiliate-id',
    received: '__Host-received',
  },
}
