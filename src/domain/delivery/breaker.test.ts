import { describe, expect, it } from 'vitest'
import {
  type AttemptEvidence,
  type BreakerTrip,
  isDistributorToBlame,
  makeFailureCount,
  scheduleProbe,
  type TripCause,
  wasDistributorAtFault,
} from './breaker.ts'
import type { AttemptOutcome } from './outcome.ts'

const minute = 60_000

const trip = (cause: TripCause, failedProbes = 0): BreakerTrip =>
  scheduleProbe({ cause, reason: 'HTTP 403', since: -5, failedProbes }, 0)

/** Fails each probe as soon as it may start. */
function afterProbes(from: BreakerTrip, count: number): BreakerTrip {
  let after = from
  for (let probe = 0; probe < count; probe++) {
    after = scheduleProbe({ ...after, failedProbes: after.failedProbes + 1 }, after.probeAt)
  }
  return after
}

function waitsOf(cause: TripCause, count: number): number[] {
  const times = Array.from({ length: count }, (_, probes) => afterProbes(trip(cause), probes))
  return times.map(({ probeAt }, index) => probeAt - (times[index - 1]?.probeAt ?? 0))
}

describe('probes', () => {
  it('after refusals run two hundred times within a minute, and then every five minutes', () => {
    expect(waitsOf('refused', 6)).toEqual([0, 0, 0, 250, 250, 250])
    const last = afterProbes(trip('refused'), 199)
    expect(last.probeAt).toBeLessThan(minute)
    expect(afterProbes(last, 1).probeAt - last.probeAt).toBe(5 * minute)
  })

  it('in an outage run after 1, 2, 4 and then always 5 seconds', () =>
    expect(waitsOf('outage', 6)).toEqual([1000, 2000, 4000, 5000, 5000, 5000]))

  it('that repeat a failed lead wait five minutes, or half a minute in an outage', () => {
    expect(trip('refused').repeatAt).toBe(5 * minute)
    expect(trip('outage', 7).repeatAt).toBe(minute / 2)
  })

  it('blame the distributor after two hundred refused leads, and after three in an outage', () => {
    for (const [cause, probesNeeded] of [
      ['refused', 200],
      ['outage', 3],
    ] as const) {
      const almostBlamed = afterProbes(trip(cause), probesNeeded - 1)
      const blamed = afterProbes(almostBlamed, 1)
      expect([almostBlamed, blamed].map(isDistributorToBlame)).toEqual([false, true])
      expect([almostBlamed, blamed].map((one) => wasDistributorAtFault(one, 'untried'))).toEqual([
        false,
        true,
      ])
      expect(wasDistributorAtFault(trip(cause), 'repeat')).toBe(true)
    }
  })
})

const refused: AttemptOutcome = { name: 'refused', httpStatus: 403 }
const delivered: AttemptOutcome = { name: 'delivered', httpStatus: 200 }
const rejected: AttemptOutcome = { name: 'rejected', httpStatus: 200 }
const broken: AttemptOutcome = { name: 'broken', httpStatus: 500, reason: 'server-error' }

type TestAttempt = readonly [
  leadId: string,
  outcome: AttemptOutcome,
  more?: Partial<AttemptEvidence>,
]

/** The cause for which each attempt of a process opens the breaker, with one attempt per second. */
function causesOf(testAttempts: readonly TestAttempt[]) {
  const count = makeFailureCount()
  return testAttempts.map(([leadId, outcome, more], second) => {
    const startedAt = second * 1000
    return count.add({ leadId, attemptsSpent: 0, outcome, startedAt, endedAt: startedAt, ...more })
  })
}

const each = (
  count: number,
  outcome: AttemptOutcome,
  more?: Partial<AttemptEvidence>,
): TestAttempt[] => Array.from({ length: count }, (_, lead) => [`lead ${lead}`, outcome, more])

const lastOf = (testAttempts: readonly TestAttempt[]) => causesOf(testAttempts).at(-1)

describe('a refused lead', () => {
  it('opens the breaker at once if no lead was answered for a minute', () => {
    expect(causesOf([['a', refused]])).toEqual(['refused'])
    const late = { endedAt: minute + 1 }
    expect(
      lastOf([
        ['a', delivered],
        ['b', refused, late],
      ]),
    ).toBe('refused')
    expect(
      lastOf([
        ['a', delivered],
        ['b', refused, { endedAt: minute }],
      ]),
    ).toBeUndefined()
  })

  it('opens the breaker as the third in a row while other leads are answered', () => {
    const testAttempts: TestAttempt[] = [
      ['a', delivered],
      ['b', refused],
      ['c', refused],
      ['d', rejected],
      ['e', refused],
      ['f', refused],
    ]
    expect(causesOf(testAttempts).every((cause) => cause === undefined)).toBe(true)
    expect(lastOf([...testAttempts, ['g', refused]])).toBe('refused')
    expect(lastOf([...testAttempts, ['f', refused]])).toBeUndefined()
  })

  it('proves nothing about the distributor after an earlier attempt of the same lead', () =>
    expect(lastOf(each(99, refused, { attemptsSpent: 1 }))).toBeUndefined())
})

describe('leads in a row without an answer', () => {
  it.each<AttemptOutcome>([
    broken,
    { name: 'busy', httpStatus: 429, retryAfterMs: 0 },
    { name: 'unreachable', reason: 'no-connection' },
    { name: 'unknown', reason: 'timeout' },
  ])('open the breaker if there are ten: $name', (outcome) => {
    expect(lastOf(each(9, outcome))).toBeUndefined()
    expect(lastOf(each(10, outcome))).toBe('outage')
    expect(lastOf(each(10, outcome, { attemptsSpent: 1 }))).toBe('outage')
    expect(lastOf([...each(9, outcome), ['z', rejected], ...each(9, outcome)])).toBeUndefined()
  })

  it('one lead is one piece of evidence, however often it fails', () =>
    expect(lastOf([...each(9, broken), ...each(9, broken), ...each(9, broken)])).toBeUndefined())

  it('the last failure names the cause if some leads were refused and some got no answer', () => {
    const answered: TestAttempt = ['a', delivered, { endedAt: 11_000 }]
    const two: TestAttempt[] = [answered, ['r1', refused], ['r2', refused]]
    expect(lastOf([...two, ...each(7, broken)])).toBeUndefined()
    expect(lastOf([...two, ...each(8, broken)])).toBe('outage')
    expect(lastOf([answered, ...each(9, broken), ['r1', refused]])).toBe('refused')
  })

  it('an attempt that was not made, or that our process stopped, does not count', () => {
    const none: TestAttempt[] = [
      ...each(20, { name: 'not-made', reason: 'given-up' }),
      ...each(20, { name: 'not-made', reason: 'stopped' }),
      ...each(20, { name: 'unknown', reason: 'stopped' }),
    ]
    expect(causesOf([...each(9, broken), ...none]).every((cause) => cause === undefined)).toBe(true)
    // An attempt that was not made is not an answer either.
    expect(lastOf([...each(9, broken), ...none, ['z', broken]])).toBe('outage')
  })

  it('the trip begins with the first failed attempt', () => {
    const count = makeFailureCount()
    const attempt = { attemptsSpent: 0, outcome: broken, endedAt: 9 }
    count.add({ ...attempt, leadId: 'a', startedAt: 5 })
    count.add({ ...attempt, leadId: 'b', startedAt: 7 })
    expect(count.since()).toBe(5)
    count.add({ ...attempt, leadId: 'c', startedAt: 8, outcome: delivered })
    count.add({ ...attempt, leadId: 'b', startedAt: 10 })
    expect(count.since()).toBe(10)
  })
})
