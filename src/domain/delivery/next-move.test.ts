import { expect, it } from 'vitest'
import { nextMove } from './next-move.ts'
import type { AttemptOutcome } from './outcome.ts'

/** 5s, 30s, 5m, 30m, 2h, 5h, 10h, 10h. */
const schedule = [5, 30, 300, 1_800, 7_200, 18_000, 36_000, 36_000].map((s) => s * 1_000)

const retry = (afterMs: number) => ({ kind: 'retry', afterMs, setBy: 'schedule' })
const asked = (afterMs: number) => ({ kind: 'retry', afterMs, setBy: 'distributor' })
const settle = (as: string) => ({ kind: 'settle', as })

const failures: AttemptOutcome[] = [
  { name: 'busy', httpStatus: 429 },
  { name: 'broken', httpStatus: 500, reason: 'server-error' },
  { name: 'unreachable', reason: 'no-connection' },
  { name: 'unknown', reason: 'timeout' },
]

it.each([1, 9])('on attempt %i, an answer settles the delivery', (attempt) => {
  expect(nextMove({ name: 'delivered', httpStatus: 200 }, attempt, schedule)).toEqual(
    settle('delivered'),
  )
  expect(nextMove({ name: 'rejected', httpStatus: 200 }, attempt, schedule)).toEqual(
    settle('rejected'),
  )
})

it.each(failures)(
  '$name: the schedule is walked to its end, then the delivery is dead',
  (outcome) => {
    const moves = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((attempt) => nextMove(outcome, attempt, schedule))
    expect(moves).toEqual([...schedule.map(retry), settle('dead')])
  },
)

it.each([0, 1, 4_999, 90_000, 86_400_000])(
  'obeys a Retry-After of %i ms exactly, as often as the schedule has waits',
  (retryAfterMs) => {
    const outcomes: AttemptOutcome[] = [
      { name: 'busy', httpStatus: 503, retryAfterMs },
      { name: 'broken', httpStatus: 500, reason: 'server-error', retryAfterMs },
    ]
    for (const outcome of outcomes) {
      expect(nextMove(outcome, 1, schedule)).toEqual(asked(retryAfterMs))
      expect(nextMove(outcome, 8, schedule)).toEqual(asked(retryAfterMs))
      expect(nextMove(outcome, 9, schedule)).toEqual(settle('dead'))
    }
  },
)

it.each([1, 9, 100])('a refusal of us leaves the lead due as before, at try %i', (tries) =>
  expect(nextMove({ name: 'refused', httpStatus: 401 }, tries, schedule)).toEqual({
    kind: 'due-again',
  }),
)

it('gives up after one attempt where the schedule is empty', () =>
  expect(nextMove({ name: 'unreachable', reason: 'no-connection' }, 1, [])).toEqual(settle('dead')))
