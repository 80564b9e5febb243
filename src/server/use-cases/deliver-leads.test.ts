import { describe, expect, it } from 'vitest'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import type { WireLead } from '#domain/lead/wire-lead.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { makeDeliverLead, type RecordedAttempt } from './deliver-leads.ts'

const { lead } = exampleArrival()
const claimed = { id: 'delivery-1', lease: 'lease-1', attemptsBefore: 1, lead }
const settings = {
  campaign: {
    campaignCode: 'c',
    signupUrl: 'https://example.com/',
    trustedFormUrl: 'https://cert.example.com/1',
    startDateId: 's',
    selfDirectedRatingId: 'r',
    timeToCommitId: 't',
  },
  fallbackIp: '198.51.100.1',
  retrySchedule: [1000, 2000],
}

/** Delivers once to a distributor that answers so, at a clock that stands at 100 and then at 140. */
async function deliverTo(outcome: AttemptOutcome, ip?: string) {
  const sent: { lead: WireLead; key: string }[] = []
  const recorded: RecordedAttempt[] = []
  const times = [100, 140]
  const deliver = makeDeliverLead(
    {
      queue: {
        claimDue: async () => [],
        release: async () => undefined,
        record: async (attempt) => recorded.push(attempt) > 0,
      },
      distributor: {
        send: async (wireLead, key) => {
          sent.push({ lead: wireLead, key })
          return outcome
        },
      },
      lookUpIp: async () => ip,
      clock: () => times.shift() ?? Number.NaN,
    },
    settings,
  )
  await deliver(claimed, new AbortController().signal)
  return { sent: sent[0], recorded: recorded[0] }
}

it('sends the lead under its own id, so that the distributor can tell a repetition', async () => {
  const { sent } = await deliverTo({ name: 'delivered', httpStatus: 200 })
  expect(sent?.key).toBe(lead.id)
  expect(sent?.lead.lead.email).toBe(lead.email)
})

describe('the address that is sent', () => {
  it.each([
    ['what the service says', '203.0.113.99', '203.0.113.99'],
    ['the fallback where it does not know', 'IP Not found', '198.51.100.1'],
    ['the address as seen where it does not answer', undefined, lead.consent.ip],
  ])('is %s', async (_, answer, expected) => {
    const { sent } = await deliverTo({ name: 'delivered', httpStatus: 200 }, answer)
    expect(sent?.lead.lead.ip).toBe(expected)
  })
})

describe('what is recorded', () => {
  it('settles a delivered lead at the end of the call', async () => {
    const { recorded } = await deliverTo({ name: 'delivered', httpStatus: 200 })
    expect(recorded).toMatchObject({
      deliveryId: 'delivery-1',
      lease: 'lease-1',
      startedAt: 100,
      durationMs: 40,
      next: { settledAs: 'delivered', at: 140 },
    })
  })

  it('waits as the schedule says for the second attempt', async () => {
    const { recorded } = await deliverTo({ name: 'unreachable', detail: 'refused' })
    expect(recorded?.next).toEqual({ retryAt: 140 + 2000 })
  })
})
