import { expect, it } from 'vitest'
import { exampleCampaign } from '#tests/distributor/example-campaign.ts'
import { asStored } from '#tests/enquiry/as-sent.ts'
import { listAssertedFields } from './asserted-fields.ts'
import { toDistributorLead } from './distributor-lead.ts'

const namesOf = (covers: readonly string[]) => listAssertedFields(covers).map(({ field }) => field)

it('the consent to calls is asserted until the disclosure covers them', () => {
  expect(namesOf(['email'])[0]).toBe('tcpa_consent')
  expect(namesOf(['email', 'text'])[0]).toBe('tcpa_consent')
  expect(namesOf(['email', 'phone'])).not.toContain('tcpa_consent')
})

it('every asserted field is a field of the lead as sent', () => {
  const sent = JSON.stringify(toDistributorLead(asStored({}), exampleCampaign, '203.0.113.7'))
  for (const field of namesOf(['email'])) expect(sent).toContain(`"${field}":`)
})
