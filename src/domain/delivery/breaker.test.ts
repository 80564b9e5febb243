import { describe, expect, it } from 'vitest'
import {
  afterAnswer,
  afterFailedProbe,
  closedBreaker,
  modeOf,
  type ProbeKind,
  placeOfProbe,
  type Trip,
  type TripCause,
  tripped,
} from './breaker.ts'
import { culpritOf, isProven, isTelling, patienceAfter, patienceAfterResume } from './culprit.ts'

const minute = 60_000

const trip = (cause: TripCause): Trip =>
  tripped({ cause, reason: 'HTTP 403', since: -5, enoughRefused: 15, at: 0 }, undefined)

/** Each probe fails the moment it may go. */
function afterProbes(from: Trip, count: number, kind: ProbeKind, cause = from.cause): Trip {
  let after = from
  for (let probe = 0; probe < count; probe++) {
    after = afterFailedProbe(after, { kind, cause, reason: '', at: after.probeAt })
  }
  return after
}

function waitsOf(cause: TripCause, count: number): number[] {
  const times = Array.from({ length: count }, (_, probes) =>
    afterProbes(trip(cause), probes, 'first'),
  ).map(({ probeAt }) => probeAt)
  return times.map((at, index) => at - (times[index - 1] ?? 0))
}

describe('how it stands', () => {
  it('closed lets all pass, a trip one probe at its time, an operator nothing', () => {
    const pause = { reason: 'holiday', since: 3 }
    expect(modeOf(closedBreaker)).toEqual({ kind: 'closed' })
    expect(modeOf({ pause: null, trip: trip('outage') })).toEqual({ kind: 'half-open', at: 1000 })
    expect(modeOf({ pause, trip: null })).toEqual({ kind: 'open' })
    expect(modeOf({ pause, trip: trip('outage') })).toEqual({ kind: 'open' })
  })
})

describe('the pace of probes', () => {
  it('of a distributor that refuses: quick at first, so that the others wait for seconds', () =>
    expect(waitsOf('refused', 15)).toEqual([
      0, 0, 0, 500, 500, 1000, 1000, 1000, 2000, 2000, 4000, 5000, 5000, 5000, 5000,
    ]))

  it('of an outage: 1, 2, 4 and then always 5 seconds', () =>
    expect(waitsOf('outage', 6)).toEqual([1000, 2000, 4000, 5000, 5000, 5000]))

  it('a probe that would say nothing new waits for five minutes, in an outage for half a minute', () => {
    for (const [cause, wait] of [
      ['refused', 5 * minute],
      ['outage', minute / 2],
    ] as const) {
      const failed = { kind: 'repeat', cause, reason: '', at: 7 } as const
      expect(trip(cause).repeatAt).toBe(wait)
      expect(afterFailedProbe(trip(cause), failed).repeatAt).toBe(7 + wait)
      expect(afterFailedProbe(trip(cause), failed).failedProbes).toEqual(trip(cause).failedProbes)
    }
  })
})

describe('whom it blames', () => {
  it('fifteen other leads that are refused show that it is the distributor, and no call more is made of that', () => {
    for (const kind of ['first', 'akin'] as const) {
      const nearly = afterProbes(trip('refused'), 14, kind)
      const enough = afterProbes(nearly, 1, kind)
      expect([isProven(nearly), isTelling(nearly, kind)]).toEqual([false, true])
      expect([isProven(enough), isTelling(enough, kind)]).toEqual([true, false])
      expect(culpritOf(nearly, kind)).toBe('these leads')
      expect(culpritOf(enough, kind)).toBe('the distributor')
    }
  })

  it('after refused leads of one network a lead of another says something new, but not the other way round', () => {
    expect(isTelling(afterProbes(trip('refused'), 15, 'akin'), 'first')).toBe(true)
    expect(isTelling(afterProbes(trip('refused'), 15, 'first'), 'akin')).toBe(false)
    expect(culpritOf(afterProbes(trip('refused'), 15, 'akin'), 'first')).toBe('these leads')
  })

  it('three that fail in an outage show it; whoever else waits is tried all the same', () => {
    const enough = afterProbes(trip('outage'), 3, 'akin')
    expect(isProven(afterProbes(trip('outage'), 2, 'first'))).toBe(false)
    expect(isProven(enough)).toBe(true)
    expect(culpritOf(enough, 'first')).toBe('the distributor')
    expect(culpritOf(trip('outage'), 'first')).toBe('these leads')
    expect(isTelling(enough, 'akin')).toBe(true)
  })

  it('a lead that failed before and passes clears the others', () => {
    for (const cause of ['refused', 'outage'] as const) {
      expect(culpritOf(trip(cause), 'repeat')).toBe('the distributor')
      expect(isTelling(trip(cause), 'repeat')).toBe(false)
    }
  })

  it('one forbidden lead in an outage does not slow its probes, and one more that is refused does', () => {
    const outage = afterProbes(trip('outage'), 9, 'first')
    const forbidden = afterProbes(outage, 1, 'first', 'refused')
    expect(forbidden.cause).toBe('refused')
    expect(isTelling(forbidden, 'first')).toBe(true)
    const again = afterProbes(forbidden, 1, 'first', 'outage')
    expect(again.probeAt - forbidden.probeAt).toBe(5000)
    expect(isTelling(afterProbes(outage, 15, 'first', 'refused'), 'first')).toBe(false)
  })
})

describe('patience', () => {
  const day = 24 * 60 * minute
  const order = { cause: 'refused', reason: '', since: 0, enoughRefused: 15 } as const

  it('for a day after leads were refused alone the next trips ask 200, at once and then five a second', () => {
    const patience = patienceAfter(trip('refused'), 'first', 1000)
    expect(patience).toEqual({ enoughRefused: 200, until: 1000 + day })
    const patient = tripped({ ...order, at: 999 + day }, patience)
    expect(patient.enoughRefused).toBe(200)
    expect(tripped({ ...order, at: 1000 + day }, patience).enoughRefused).toBe(15)
    expect(tripped({ ...order, enoughRefused: 200, at: 0 }, undefined).enoughRefused).toBe(200)
    const took = [10, 110, 199].map(
      (n) => afterProbes(patient, n, 'first').probeAt - patient.probeAt,
    )
    expect(took).toEqual([200, 20_200, 38_000])
    expect(isTelling(afterProbes(patient, 199, 'akin'), 'akin')).toBe(true)
    expect(isProven(afterProbes(patient, 200, 'akin'))).toBe(true)
  })

  it('is over where it was the distributor, and stays as it is in an outage', () => {
    const over = { enoughRefused: 15, until: 7 }
    expect(patienceAfter(afterProbes(trip('refused'), 15, 'first'), 'akin', 7)).toEqual(over)
    expect(patienceAfter(trip('refused'), 'repeat', 7)).toEqual(over)
    expect(patienceAfterResume(afterProbes(trip('refused'), 15, 'first'), 7)).toEqual(over)
    expect(patienceAfterResume(afterProbes(trip('refused'), 14, 'first'), 7)).toBeUndefined()
    expect(patienceAfter(afterProbes(trip('outage'), 40, 'first'), 'first', 0)).toBeUndefined()
  })
})

describe('an answer', () => {
  it('in an outage lets seven more of other networks go first, at once; one that fails begins anew', () => {
    const outage = afterProbes(trip('outage'), 9, 'first')
    let next: Trip | undefined = outage
    for (let answers = 1; answers < 8; answers++) {
      next = next && afterAnswer(next, 'first', 5)
      expect(next).toMatchObject({ probeAt: 5, answeredProbes: answers })
    }
    expect(next && afterAnswer(next, 'first', 5)).toBeUndefined()
    expect(next && afterProbes(next, 1, 'first').answeredProbes).toBe(0)
  })

  it('closes it after a lead was refused, and where the lead that passes is none of another network', () => {
    expect(afterAnswer(trip('refused'), 'first', 5)).toBeUndefined()
    for (const kind of ['akin', 'repeat'] as const) {
      expect(afterAnswer(trip('outage'), kind, 5)).toBeUndefined()
    }
  })
})

it('looks at both ends of what waits first, then ever finer between', () =>
  expect(
    Array.from({ length: 10 }, (_, probes) =>
      placeOfProbe(afterProbes(trip('refused'), probes, 'first')),
    ),
  ).toEqual([0, 1, 0.5, 0.25, 0.75, 0.125, 0.625, 0.375, 0.875, 0]))
