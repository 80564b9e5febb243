import { describe, expect, it } from 'vitest'
import { type Heard, noEvidence, refusedToBlame, tripCauseOf, weigh } from './breaker-evidence.ts'
import type { AttemptOutcome } from './outcome.ts'

const refused: AttemptOutcome = { name: 'refused', httpStatus: 403 }
const delivered: AttemptOutcome = { name: 'delivered', httpStatus: 200 }
const rejected: AttemptOutcome = { name: 'rejected', httpStatus: 200 }
const broken: AttemptOutcome = { name: 'broken', httpStatus: 500, reason: 'server-error' }
const minute = 60_000

type Told = readonly [leadId: string, outcome: AttemptOutcome, more?: Partial<Heard>]

/** What each attempt of a process opens the breaker for, one a second. */
function causesOf(told: readonly Told[]) {
  let evidence = noEvidence
  return told.map(([leadId, outcome, more], second) => {
    const startedAt = second * 1000
    const heard = { leadId, outcome, startedAt, endedAt: startedAt, ...more }
    evidence = weigh(evidence, heard)
    return tripCauseOf(evidence, heard)
  })
}

const each = (count: number, outcome: AttemptOutcome, more?: Partial<Heard>): Told[] =>
  Array.from({ length: count }, (_, lead) => [`lead ${lead}`, outcome, more])

const lastOf = (told: readonly Told[]) => causesOf(told).at(-1)

describe('a refused lead', () => {
  it('opens it at once where nothing was answered for a minute', () => {
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

  it('opens it as the third in a row while others are answered', () => {
    const told: Told[] = [
      ['a', delivered],
      ['b', refused],
      ['c', refused],
      ['d', rejected],
      ['e', refused],
      ['f', refused],
    ]
    expect(causesOf(told).every((cause) => cause === undefined)).toBe(true)
    expect(lastOf([...told, ['g', refused]])).toBe('refused')
    // The same lead again and again, and nobody else is answered.
    expect(lastOf([...told, ['f', refused, { refusedBefore: true }]])).toBe('refused')
  })

  it('says nothing of the distributor where the lead had been refused while others passed', () =>
    expect(lastOf(each(99, refused, { refusedBefore: true }))).toBeUndefined())

  it('takes more refused probes to blame a distributor that has answered within the last day', () => {
    expect(refusedToBlame(noEvidence, 0)).toBe(15)
    expect(refusedToBlame({ ...noEvidence, answeredAt: 0 }, 24 * 60 * minute)).toBe(200)
    expect(refusedToBlame({ ...noEvidence, answeredAt: 0 }, 24 * 60 * minute + 1)).toBe(15)
  })
})

describe('leads in a row without an answer', () => {
  it.each<AttemptOutcome>([
    broken,
    { name: 'busy', httpStatus: 429, retryAfterMs: 0 },
    { name: 'unreachable', reason: 'no-connection' },
    { name: 'unknown', reason: 'timeout' },
  ])('ten open it: $name', (outcome) => {
    expect(lastOf(each(9, outcome))).toBeUndefined()
    expect(lastOf(each(10, outcome))).toBe('outage')
    expect(lastOf(each(10, outcome, { refusedBefore: true }))).toBe('outage')
    expect(lastOf([...each(9, outcome), ['z', rejected], ...each(9, outcome)])).toBeUndefined()
  })

  it('one lead is one piece of evidence, however often it fails', () =>
    expect(lastOf([...each(9, broken), ...each(9, broken), ...each(9, broken)])).toBeUndefined())

  it('some refused and some without a word: it is open for what the last one met', () => {
    const answered: Told = ['a', delivered, { endedAt: 11_000 }]
    const two: Told[] = [answered, ['r1', refused], ['r2', refused]]
    expect(lastOf([...two, ...each(7, broken)])).toBeUndefined()
    expect(lastOf([...two, ...each(8, broken)])).toBe('outage')
    expect(lastOf([answered, ...each(9, broken), ['r1', refused]])).toBe('refused')
  })

  it('what was not made, or was cut off by ourselves, is none', () => {
    const none: Told[] = [
      ...each(20, { name: 'not-made', reason: 'given-up' }),
      ...each(20, { name: 'not-made', reason: 'stopped' }),
      ...each(20, { name: 'unknown', reason: 'stopped' }),
    ]
    expect(causesOf([...each(9, broken), ...none]).every((cause) => cause === undefined)).toBe(true)
    // Nor is it an answer.
    expect(lastOf([...each(9, broken), ...none, ['z', broken]])).toBe('outage')
  })

  it('it is on since the first of them began', () => {
    const heard = { leadId: 'a', outcome: broken, startedAt: 5, endedAt: 9 }
    const one = weigh(weigh(noEvidence, heard), { ...heard, leadId: 'b', startedAt: 7 })
    expect(one.since).toBe(5)
    expect(weigh(one, { ...heard, outcome: delivered })).toEqual({ ...noEvidence, answeredAt: 9 })
  })
})
