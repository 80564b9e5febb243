import { type DistributorLead, toDistributorLead } from '#domain/lead/distributor-lead.ts'
import { readPayload } from '#server/leads/lead-payload.ts'
import { exampleCampaign } from '#tests/distributor/example-campaign.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'

/** The data that the distributor gets for a stored payload; other columns have example values. */
export function sentOf(payload: string): DistributorLead {
  const email = 'zoe@example.com'
  const lead = { ...exampleArrival({ email }).lead, ...readPayload(payload).answers }
  return toDistributorLead(lead, exampleCampaign, '203.0.113.7')
}

/** Every lead's payload in `sqlite.sql`, in the form that tests/upgrade/keep-data.ts writes. */
export const payloadsIn = (dump: string): readonly string[] =>
  [...dump.matchAll(/'(\{"subId".*?\})',/g)].map(([, payload = '']) =>
    payload.replaceAll("''", "'"),
  )
