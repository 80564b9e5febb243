import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { type BreakerState, closedBreaker } from '#domain/delivery/breaker.ts'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import { deliveries } from '#tests/delivery/start-worker.ts'
import type { BreakerStore } from '../use-cases/breaker-store.ts'
import { DeliveryBreaker } from './delivery-breaker.ts'

const [delivery] = deliveries(1)
const failure: AttemptOutcome = { name: 'broken', httpStatus: 500, reason: 'server-error' }
const rejection: AttemptOutcome = { name: 'rejected', httpStatus: 200 }
const outage = { since: 0, probeAt: 1 }

/** A breaker that a test moves by hand, and one that looks at it every time. */
function watchedBreaker(readEvery = 0) {
  let state: BreakerState = closedBreaker
  const calls: string[] = []
  const lines: { level: number; msg: string }[] = []
  const answer = (name: string, next: BreakerState) => async () => {
    calls.push(name)
    state = next
    return true
  }
  const breaker: BreakerStore = {
    read: async () => state,
    pause: async ({ by, reason, at }) => {
      calls.push(`pause by ${by}`)
      state = { ...state, pause: { by, reason, since: at, probeAt: at } }
      return true
    },
    resume: answer('resume', closedBreaker),
    answered: answer('answered', closedBreaker),
    beginOutage: async ({ since }) => {
      calls.push(`outage since ${since}`)
      state = { ...state, outage }
      return true
    },
    probeFailed: async ({ lease }) => void calls.push(`probe ${lease} failed`),
    probeNow: async () => void calls.push('probe now'),
  }
  const log = pino({ base: null }, { write: (line) => lines.push(JSON.parse(line)) })
  const watched = new DeliveryBreaker({ breaker, clock: () => 7, log }, readEvery)
  let startedAt = 100
  return {
    watched,
    breaker,
    calls,
    said: () => lines.map(({ msg }) => msg),
    move: (next: BreakerState) => {
      state = next
    },
    hear: async (...outcomes: AttemptOutcome[]) => {
      for (const outcome of outcomes) {
        if (delivery) await watched.hear({ delivery, startedAt, endedAt: startedAt + 1, outcome })
        startedAt++
      }
    },
  }
}

const times = (count: number, outcome: AttemptOutcome) =>
  Array.from({ length: count }, () => outcome)

describe('an outage', () => {
  it('begins with the tenth failure in a row, as of the first', async () => {
    const { watched, calls, hear } = watchedBreaker()
    await hear(...times(9, failure), rejection, ...times(9, failure))
    expect(calls).toEqual([])
    expect(watched.isClosed()).toBe(true)
    await hear(failure)
    expect(calls).toEqual(['outage since 110'])
    expect(watched.isClosed()).toBe(false)
    expect(await watched.mode()).toEqual({ kind: 'half-open', at: 1 })
  })

  it('counts no refusal, and every kind of failure', async () => {
    const { calls, hear } = watchedBreaker()
    await hear(
      ...times(3, { name: 'busy', httpStatus: 429 }),
      ...times(3, { name: 'unreachable', reason: 'no-connection' }),
      ...times(3, { name: 'unknown', reason: 'timeout' }),
    )
    expect(calls).toEqual([])
    await hear(failure)
    expect(calls).toHaveLength(1)
  })

  it('ends with any answer, and counts anew', async () => {
    const { watched, calls, hear } = watchedBreaker()
    await hear(...times(10, failure), failure, rejection)
    expect(calls.slice(1)).toEqual(['probe lease failed', 'answered'])
    expect(watched.isClosed()).toBe(true)
    await hear(...times(9, failure))
    expect(watched.isClosed()).toBe(true)
  })

  it('is said once when it begins and once when it ends', async () => {
    const { hear, said } = watchedBreaker()
    await hear(...times(15, failure), rejection, rejection)
    expect(said()).toEqual([
      'the distributor does not answer: leads wait, one delivery at a time is tried',
      'deliveries go on',
    ])
  })
})

it('a refusal pauses at once, and tells the operator what to look at', async () => {
  const { watched, breaker, hear, said } = watchedBreaker()
  await hear({ name: 'refused', httpStatus: 401 })
  expect(watched.isClosed()).toBe(false)
  const { pause } = await breaker.read()
  expect(pause).toMatchObject({ by: 'refusal' })
  expect(pause?.reason).toMatch(/HTTP 401.*DISTRIBUTOR_URL/)
  expect(pause?.reason).not.toContain('key')
  expect(said()).toHaveLength(1)
})

it('sees what others do to the breaker, and says it', async () => {
  const { watched, move, said } = watchedBreaker()
  move({ pause: { by: 'operator', reason: 'holiday', since: 5, probeAt: null }, outage: null })
  expect(await watched.mode()).toEqual({ kind: 'open' })
  move(closedBreaker)
  expect(await watched.mode()).toEqual({ kind: 'closed' })
  expect(said()).toEqual(['deliveries paused: leads are stored and wait', 'deliveries go on'])
})

it('looks no more often than it should', async () => {
  const { watched, move } = watchedBreaker(60_000)
  await watched.mode()
  move({ pause: null, outage })
  expect(await watched.mode()).toEqual({ kind: 'closed' })
})

it('a worker that starts may try at once', async () => {
  const { watched, calls } = watchedBreaker()
  await watched.start()
  expect(calls).toEqual(['probe now'])
})

it('goes on as before while the store is away', async () => {
  const { watched, breaker, hear } = watchedBreaker()
  const read = breaker.read
  await hear(...times(10, failure))
  Object.assign(breaker, { read: () => Promise.reject(new Error('the disk is full')) })
  await hear(rejection)
  expect(await watched.mode()).toEqual({ kind: 'half-open', at: 1 })
  Object.assign(breaker, { read })
  expect(await watched.mode()).toEqual({ kind: 'closed' })
})
