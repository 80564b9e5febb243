import { describe, expect, it } from 'vitest'
import type { BreakerAfterAttempt } from '#domain/delivery/delivery.ts'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import type { DistributorLead } from '#domain/lead/distributor-lead.ts'
import { toPlainLine } from '#domain/text/plain-line.ts'
import { exampleCampaign } from '#tests/distributor/example-campaign.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'
import {
  type CompletedAttempt,
  makeAttemptRunner,
  makeLeadSender,
  retryUntilResult,
} from './delivery-attempts.ts'
import type { DistributorClient } from './distributor-client.ts'
import type { RecordedAttempt } from './record-attempts.ts'

const { lead } = exampleArrival()
const claimed = {
  id: 'delivery-1',
  lease: 'lease-1',
  leasedUntil: 60_000,
  attemptsBefore: 1,
  attemptsSpent: 1,
  lead,
}
const settings = {
  campaign: exampleCampaign,
  fallbackIp: '198.51.100.1',
}

/** Makes one attempt with the given outcome; the clock reads 100 at the start and 140 at the end. */
async function deliverTo(
  outcome: AttemptOutcome,
  {
    ip,
    delivery = claimed,
    breakerAfter = 'closed',
    isHeld = true,
  }: {
    ip?: string | undefined
    delivery?: ClaimedDelivery
    breakerAfter?: BreakerAfterAttempt
    isHeld?: boolean
  } = {},
) {
  const { signal } = new AbortController()
  const sent: { lead: DistributorLead; key: string }[] = []
  const recorded: RecordedAttempt[] = []
  const givenBack: ClaimedDelivery[] = []
  const reportedOutcomes: (Pick<CompletedAttempt, 'outcome'> & { recordedBefore: number })[] = []
  const times = [100, 140]
  const clock = () => times.shift() ?? Number.NaN
  const distributor: DistributorClient = {
    send: async (distributorLead, key) => {
      sent.push({ lead: distributorLead, key })
      return { outcome, response: toPlainLine('What Ada said') }
    },
  }
  const attempts = makeAttemptRunner<ClaimedDelivery>(
    {
      queue: {
        record: async (attempt) => recorded.push(attempt) > 0 && isHeld,
        giveBack: async (deliveries) => void givenBack.push(...deliveries),
      },
      send: makeLeadSender({ distributor, lookUpIp: async () => ip, clock, ...settings }),
      clock,
      breaker: {
        record: async (attempted) => {
          reportedOutcomes.push({ ...attempted, recordedBefore: recorded.length })
          return breakerAfter
        },
      },
      storeFailureLog: { failed: () => undefined },
    },
    [1000, 2000],
  )
  const isDead = await attempts.record(await attempts.attempt(delivery, signal), signal)
  return { sent: sent[0], recorded: recorded[0], givenBack, reportedOutcomes, isDead }
}

it('sends the lead under its own id, so that the distributor can tell a repetition', async () => {
  const { sent } = await deliverTo({ name: 'delivered', httpStatus: 200 })
  expect(sent?.key).toBe(lead.id)
  expect(sent?.lead.lead.email).toBe(lead.email)
})

describe('the IP address that is sent', () => {
  it.each([
    ['the lookup service’s answer', '203.0.113.99', '203.0.113.99'],
    ['the fallback if the service does not know the address', 'IP Not found', '198.51.100.1'],
    ['the visitor’s address if the service does not answer', undefined, lead.consent.ip],
  ])('is %s', async (_, answer, expected) => {
    const { sent } = await deliverTo({ name: 'delivered', httpStatus: 200 }, { ip: answer })
    expect(sent?.lead.lead.ip).toBe(expected)
  })
})

describe('the record of an attempt', () => {
  it('settles a delivered lead at the end of the call', async () => {
    const { recorded } = await deliverTo({ name: 'delivered', httpStatus: 200 })
    expect(recorded).toMatchObject({
      deliveryId: 'delivery-1',
      lease: 'lease-1',
      startedAt: 100,
      durationMs: 40,
      response: 'What Ada said',
      next: { settledAs: 'delivered', at: 140 },
    })
  })

  it('waits as the schedule says for the second attempt', async () => {
    const { recorded } = await deliverTo({ name: 'unreachable', reason: 'no-connection' })
    expect(recorded?.next).toEqual({ retryAt: 140 + 2000, setBy: 'schedule' })
  })

  it('waits as long as the distributor asks', async () => {
    const { recorded } = await deliverTo({ name: 'busy', httpStatus: 429, retryAfterMs: 7000 })
    expect(recorded?.next).toEqual({ retryAt: 140 + 7000, setBy: 'distributor' })
  })

  it('waits as the schedule says after a refusal; a repeated probe uses up no attempt', async () => {
    const { recorded } = await deliverTo({ name: 'refused', httpStatus: 401 })
    expect(recorded?.next).toEqual({ retryAt: 140 + 2000, setBy: 'schedule' })
    const again = await deliverTo(
      { name: 'refused', httpStatus: 401 },
      { breakerAfter: 'open again' },
    )
    expect(again.recorded?.next).toMatchObject({ retryAt: 140 + 2000, spends: 'nothing' })
  })

  it('a call that we cut off leaves its delivery due as before; a delivery that was not sent is given back', async () => {
    const cutOff = await deliverTo({ name: 'unknown', reason: 'stopped' })
    expect(cutOff.recorded).toMatchObject({
      outcome: { name: 'unknown' },
      next: { dueAgain: true },
    })
    const notSent = await deliverTo({ name: 'not-made', reason: 'stopped' })
    expect(notSent).toMatchObject({ recorded: undefined, givenBack: [claimed] })
  })
})

it('reports the outcome before it is recorded', async () => {
  const outcome: AttemptOutcome = { name: 'unknown', reason: 'timeout' }
  expect((await deliverTo(outcome)).reportedOutcomes).toMatchObject([
    { outcome, recordedBefore: 0 },
  ])
})

it('ends, without sending, the delivery of a lead that cannot be read', async () => {
  const unreadable = { id: lead.id, receivedAt: 9, unreadable: { parts: ['phone'] } }
  const { sent, recorded, isDead } = await deliverTo(
    { name: 'delivered', httpStatus: 200 },
    { delivery: { ...claimed, lead: unreadable } },
  )
  expect(sent).toBeUndefined()
  expect(isDead).toBe(true)
  expect(recorded).toMatchObject({
    outcome: { name: 'not-made', reason: 'unreadable' },
    next: { settledAs: 'dead' },
  })
})

it('gives up, without sending, a delivery whose every attempt ended without a result', async () => {
  const delivery = { ...claimed, attemptsSpent: 3 }
  const { sent, recorded } = await deliverTo({ name: 'delivered', httpStatus: 200 }, { delivery })
  expect(sent).toBeUndefined()
  expect(recorded).toMatchObject({ outcome: { name: 'not-made' }, next: { settledAs: 'dead' } })
})

describe('a lead', () => {
  const refused: AttemptOutcome = { name: 'refused', httpStatus: 403 }
  const delivered: AttemptOutcome = { name: 'delivered', httpStatus: 200 }
  const lastTry = { ...claimed, attemptsBefore: 2, attemptsSpent: 2 }

  it.each<[string, AttemptOutcome, Parameters<typeof deliverTo>[1], boolean]>([
    ['is dead after its last attempt', refused, { delivery: lastTry }, true],
    [
      'is not dead if another worker has its lease',
      refused,
      { delivery: lastTry, isHeld: false },
      false,
    ],
    ['is not dead while it has an attempt left', refused, {}, false],
    ['is not dead if its last attempt was accepted', delivered, { delivery: lastTry }, false],
  ])('%s', async (_, outcome, circumstances, isDead) => {
    expect((await deliverTo(outcome, circumstances)).isDead).toBe(isDead)
  })
})

/** Calls `retryUntilResult` on a store that returns the given results in order and then repeats the last result. */
async function retryWith(
  results: readonly (boolean | undefined | 'away')[],
  mostFailures = Infinity,
) {
  const ending = new AbortController()
  let [acts, failures] = [0, 0]
  const act = async () => {
    const result = results[Math.min(++acts, results.length) - 1]
    if (result === 'away') throw new Error('the store is away')
    return result
  }
  const onFailed = () => {
    if (++failures === mostFailures) ending.abort()
  }
  const retried = retryUntilResult(act, { signal: ending.signal, onFailed, pauseMs: 1 })
  return { result: await retried.catch(String), acts, failures }
}

it('retries until the store works again, and reports each failure', async () => {
  const results = ['away', 'away', undefined, 'away', false] as const
  expect(await retryWith(results)).toEqual({ result: false, acts: 5, failures: 3 })
})

it('does not repeat what succeeded', async () =>
  expect(await retryWith([true])).toEqual({ result: true, acts: 1, failures: 0 }))

it('stops when the retries are aborted', async () =>
  expect(await retryWith(['away'], 5)).toEqual({
    result: 'Error: the store is away',
    acts: 5,
    failures: 5,
  }))
