import { expect, it } from 'vitest'
import { type BreakerAfterAttempt, decideNextStep, type FinishedAttempt } from './delivery.ts'
import type { AttemptOutcome } from './outcome.ts'

/** The waits 5s, 30s, 5m, 30m, 2h, 5h, 10h, 10h. */
const schedule = [5, 30, 300, 1_800, 7_200, 18_000, 36_000, 36_000].map((s) => s * 1_000)

const endedAt = 100

const tried = (tries: number, breakerAfter: BreakerAfterAttempt = 'closed'): FinishedAttempt => ({
  tries,
  endedAt,
  schedule,
  breakerAfter,
})

const retry = (afterMs: number) => ({ retryAt: endedAt + afterMs, setBy: 'schedule' })
const asked = (afterMs: number) => ({ retryAt: endedAt + afterMs, setBy: 'distributor' })
const settle = (settledAs: string) => ({ settledAs, at: endedAt })

const failures: AttemptOutcome[] = [
  { name: 'busy', httpStatus: 429 },
  { name: 'broken', httpStatus: 500, reason: 'server-error' },
  { name: 'refused', httpStatus: 403 },
  { name: 'unreachable', reason: 'no-connection' },
  { name: 'unknown', reason: 'timeout' },
]

const breakersAfter: BreakerAfterAttempt[] = ['closed', 'open', 'open again']

it.each(breakersAfter)('an answer settles the delivery, %s', (breakerAfter) => {
  const onTry = tried(9, breakerAfter)
  expect(decideNextStep({ name: 'delivered', httpStatus: 200 }, onTry)).toEqual(settle('delivered'))
  const rejected = { name: 'rejected', httpStatus: 200, cause: 'cap' } as const
  expect(decideNextStep(rejected, onTry)).toEqual(settle('rejected'))
})

it.each(failures)(
  '$name: the schedule is walked to its end, then the delivery is dead',
  (outcome) => {
    const moves = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((tries) => decideNextStep(outcome, tried(tries)))
    expect(moves).toEqual([...schedule.map(retry), settle('dead')])
  },
)

it.each(failures)('$name: no lead dies while the breaker is not closed', (outcome) => {
  expect(decideNextStep(outcome, tried(2, 'open'))).toEqual(retry(30_000))
  expect(decideNextStep(outcome, tried(9, 'open'))).toEqual({
    ...retry(36_000_000),
    spends: 'nothing',
  })
})

it.each(failures)('$name: a failed lead that is sent again as a probe spends nothing', (outcome) =>
  expect(decideNextStep(outcome, tried(2, 'open again'))).toEqual({
    ...retry(30_000),
    spends: 'nothing',
  }),
)

const askingFor = (retryAfterMs: number): AttemptOutcome[] => [
  { name: 'busy', httpStatus: 503, retryAfterMs },
  { name: 'broken', httpStatus: 500, reason: 'server-error', retryAfterMs },
]

it.each([36_000_001, 86_400_000])(
  'obeys a Retry-After of %i ms exactly, as often as the schedule has waits',
  (retryAfterMs) => {
    for (const outcome of askingFor(retryAfterMs)) {
      expect(decideNextStep(outcome, tried(1))).toEqual(asked(retryAfterMs))
      expect(decideNextStep(outcome, tried(8))).toEqual(asked(retryAfterMs))
      expect(decideNextStep(outcome, tried(9))).toEqual(settle('dead'))
    }
  },
)

it.each([0, 1, 4_999, 5_000])('a Retry-After of %i ms makes no wait shorter', (retryAfterMs) => {
  for (const outcome of askingFor(retryAfterMs)) {
    expect(decideNextStep(outcome, tried(1))).toEqual(retry(5_000))
    expect(decideNextStep(outcome, tried(5))).toEqual(retry(7_200_000))
  }
})

it.each(breakersAfter)(
  'what we cut off or never made says nothing of the lead, %s',
  (breakerAfter) => {
    const onTry = tried(9, breakerAfter)
    expect(decideNextStep({ name: 'unknown', reason: 'stopped' }, onTry)).toEqual({
      dueAgain: true,
    })
    expect(decideNextStep({ name: 'not-made', reason: 'stopped' }, onTry)).toBeUndefined()
    expect(decideNextStep({ name: 'not-made', reason: 'given-up' }, onTry)).toEqual(settle('dead'))
  },
)

it('without a schedule, the delivery is dead after one attempt', () =>
  expect(
    decideNextStep(
      { name: 'unreachable', reason: 'no-connection' },
      { tries: 1, endedAt, schedule: [], breakerAfter: 'closed' },
    ),
  ).toEqual(settle('dead')))
