import type { Names } from '../disclosure.ts'

/** Names for tests: no real school, addresses that RFC 2606 reserves. */
export const sampleNames: Names = {
  school: 'Northgate Online University',
  operator: 'Lantern Enrollment',
  privacyEmail: 'privacy@lantern.example',
  unsubscribeUrl: 'https://unsubscribe.example/form',
}
