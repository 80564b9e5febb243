import { expect, it } from 'vitest'
import { type BreakerState, closedBreaker, scheduleProbe } from '#domain/delivery/breaker.ts'
import type { AttemptRecord } from '#domain/delivery/outcome.ts'
import type { LeadDetails } from '#server/leads/read-leads.ts'
import { describeFailureCause } from './describe-failure-cause.ts'

const tripOf = (cause: 'refused' | 'outage', failedProbes = 0): BreakerState => ({
  pause: null,
  trip: scheduleProbe({ cause, reason: 'HTTP 403', since: 0, failedProbes }, 0),
})

function leadWith(outcome: AttemptRecord['outcome'] | undefined, status: LeadDetails['status']) {
  const facts = {
    number: 1,
    startedAt: 0,
    durationMs: 1,
    httpStatus: 403,
    reason: null,
    code: null,
  }
  const attempt = { ...facts, retryAfterMs: null, said: null }
  const attempts = outcome === undefined ? [] : [{ ...attempt, outcome }]
  return {
    status,
    delivery: {
      id: 'd',
      settledAs: null,
      settledAt: null,
      isSettledByHand: false,
      restoredAt: null,
      held: null,
      nextAttemptAt: 0,
      attempts,
      endings: [],
      noPostback: undefined,
    },
  }
}

it.each<[string, Parameters<typeof leadWith>, BreakerState, RegExp | undefined]>([
  [
    'dead, as it was refused',
    ['refused', 'dead'],
    closedBreaker,
    /refuses this lead \(HTTP 403\) and accepted/,
  ],
  [
    'dead, as it was refused, while others wait',
    ['refused', 'dead'],
    tripOf('outage'),
    /this lead/,
  ],
  ['dead otherwise', ['broken', 'dead'], closedBreaker, undefined],
  [
    'refused alone',
    ['refused', 'pending'],
    closedBreaker,
    /refuses this lead .* and accepts others/,
  ],
  [
    'refused, and nobody knows',
    ['refused', 'pending'],
    tripOf('refused'),
    /us, or only these leads/,
  ],
  ['refused, as all are', ['refused', 'pending'], tripOf('refused', 200), /refuses us/],
  ['never tried, as all wait', [undefined, 'pending'], tripOf('refused', 200), /refuses us/],
  ['without an answer of use, as all are', ['broken', 'pending'], tripOf('outage'), /unusable/],
  ['without an answer once', ['broken', 'pending'], closedBreaker, undefined],
  ['delivered while others wait', ['delivered', 'delivered'], tripOf('outage'), undefined],
])('%s', (_, lead, breaker, words) => {
  const said = describeFailureCause(leadWith(...lead), breaker)
  if (words === undefined) expect(said).toBeUndefined()
  else expect(said).toMatch(words)
})
