import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { type BreakerState, closedBreaker, scheduleProbe } from '#domain/delivery/breaker.ts'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import { makeFailureLog } from '#server/platform/observability/failure-log.ts'
import { deliveries } from '#tests/delivery/start-worker.ts'
import type { BreakerStore } from './breaker-store.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'
import { makeDeliveryBreaker } from './delivery-attempts.ts'

const failure: AttemptOutcome = { name: 'broken', httpStatus: 500, reason: 'server-error' }
const refused: AttemptOutcome = { name: 'refused', httpStatus: 401 }
const rejection: AttemptOutcome = { name: 'rejected', httpStatus: 200 }
const now = 1_000_000

/** Makes a worker's breaker that reads a simulated row, which the test changes. */
function watchedBreaker(readEvery = 0) {
  let state: BreakerState = closedBreaker
  const calls: string[] = []
  const lines: { level: number; msg: string }[] = []
  const refusedAlone: string[] = []
  const store: BreakerStore = {
    read: async () => state,
    pause: async () => false,
    resume: async () => false,
    tryNow: async () => false,
    trip: async ({ at, ...failure }) => {
      calls.push(`trip: ${failure.cause} (${failure.reason}) since ${failure.since}`)
      state = { pause: null, trip: scheduleProbe({ ...failure, failedProbes: 0 }, at) }
      return true
    },
    answered: async (lead) => {
      calls.push(`answered: ${lead}`)
      state = closedBreaker
      return true
    },
    probeFailed: async ({ lease, kind, at, ...failure }) => {
      calls.push(`probe ${lease} failed: ${kind} ${failure.cause}`)
      const { trip } = state
      const failedProbes = (trip?.failedProbes ?? 0) + 1
      if (trip) state = { ...state, trip: scheduleProbe({ ...trip, ...failure, failedProbes }, at) }
      return true
    },
    probeNotMade: async ({ lease }) => calls.push(`probe ${lease} not made`) > 0,
    workerStarted: async () => calls.push('worker started') > 0,
  }
  const log = pino({ base: null }, { write: (line) => lines.push(JSON.parse(line)) })
  const onRefusedAlone = (ids: readonly string[]) => refusedAlone.push(...ids)
  const storeFailureLog = makeFailureLog(log, { begins: 'the store is away', ends: 'it is back' })
  const breaker = makeDeliveryBreaker(
    { store, clock: () => now, log, storeFailureLog, onRefusedAlone },
    readEvery,
  )
  let startedAt = 100
  return {
    breaker,
    store,
    calls,
    refusedAlone,
    said: () => lines.map(({ msg }) => msg),
    move: (next: BreakerState) => {
      state = next
    },
    /** Records each outcome for a different lead. */
    record: async (outcomes: readonly AttemptOutcome[], as: Partial<ClaimedDelivery> = {}) => {
      const breakersAfter: string[] = []
      for (const outcome of outcomes) {
        const [delivery] = deliveries(1)
        if (delivery === undefined) continue
        const lead = { ...delivery.lead, id: `lead ${startedAt}` }
        const attempted = { delivery: { ...delivery, lead, ...as }, startedAt, endedAt: startedAt }
        breakersAfter.push(await breaker.record({ ...attempted, outcome }))
        startedAt++
      }
      return breakersAfter
    },
  }
}

const times = (count: number, outcome: AttemptOutcome) =>
  Array.from({ length: count }, () => outcome)

describe('an outage', () => {
  it('begins with the first of ten failed leads in a row', async () => {
    const { breaker, calls, record } = watchedBreaker()
    await record([...times(9, failure), rejection, ...times(9, failure)])
    expect(calls).toEqual([])
    expect(breaker.isClosed()).toBe(true)
    await record([failure])
    expect(calls).toEqual(['trip: outage (HTTP 500) since 110'])
    expect(breaker.isClosed()).toBe(false)
    expect((await breaker.read()).trip?.probeAt).toBe(now + 1000)
  })

  it('ends with any answer, and counting starts again', async () => {
    const { breaker, calls, record } = watchedBreaker()
    await record(times(10, failure))
    await record([failure], { probe: 'untried' })
    await record([rejection], { probe: 'untried' })
    expect(calls.slice(1)).toEqual(['probe lease failed: untried outage', 'answered: untried'])
    await record(times(9, failure))
    expect(breaker.isClosed()).toBe(true)
  })

  it('is logged once when it begins and once when it ends', async () => {
    const { record, said } = watchedBreaker()
    await record(times(15, failure))
    await record(times(5, failure), { probe: 'untried' })
    await record([rejection, rejection])
    expect(said()).toEqual([
      expect.stringMatching(/^deliveries wait: the distributor answers with an error \(HTTP 500\)/),
      'deliveries resumed',
    ])
  })
})

describe('a refused lead', () => {
  it('opens the breaker; the log says when the distributor is known to be the cause', async () => {
    const { breaker, record, said } = watchedBreaker()
    await record([refused])
    expect(breaker.isClosed()).toBe(false)
    expect(said().at(-1)).toMatch(/has accepted no lead \(HTTP 401\).*us, or only these leads/)
    await record(times(199, refused), { probe: 'untried' })
    expect(said()).toHaveLength(1)
    await record([refused], { probe: 'untried' })
    expect(said().at(-1)).toMatch(/refuses us \(HTTP 401\).*DISTRIBUTOR_URL/)
  })

  it('single refused leads are logged once another lead is answered, but not a lead that is accepted later', async () => {
    const { calls, refusedAlone, record } = watchedBreaker()
    await record([refused])
    await record([rejection], { probe: 'untried' })
    expect(calls.at(-1)).toBe('answered: untried')
    expect(refusedAlone).toEqual(['lead 100'])
    await record([refused, refused, rejection])
    expect(refusedAlone).toEqual(['lead 100', 'lead 102', 'lead 103'])
    const [again] = deliveries(1)
    await record([refused, rejection], again && { lead: again.lead })
    await record(times(3, refused))
    await record([rejection], { probe: 'repeat' })
    expect(calls.at(-1)).toBe('answered: repeat')
    expect(refusedAlone).toHaveLength(3)
  })
})

it('returns the breaker’s state after each attempt', async () => {
  const { record } = watchedBreaker()
  expect(await record(times(10, failure))).toEqual([
    ...times(9, failure).map(() => 'closed'),
    'open',
  ])
  expect(await record([failure], { probe: 'untried' })).toEqual(['open'])
  expect(await record([failure], { probe: 'repeat' })).toEqual(['open again'])
})

it('a probe that was not made is allowed again; a probe that we cut off ends with its lease', async () => {
  const { calls, record } = watchedBreaker()
  await record([refused])
  await record([{ name: 'not-made', reason: 'stopped' }], { probe: 'untried' })
  await record([{ name: 'unknown', reason: 'stopped' }], { probe: 'untried' })
  expect(calls.slice(1)).toEqual(['probe lease not made'])
})

it('logs the changes that other processes make', async () => {
  const { breaker, move, said } = watchedBreaker()
  move({ pause: { reason: 'holiday', since: 5 }, trip: null })
  expect((await breaker.read()).pause?.reason).toBe('holiday')
  move(closedBreaker)
  expect(await breaker.read()).toEqual(closedBreaker)
  expect(said()).toEqual([
    expect.stringMatching(/^deliveries wait: paused since .* by an operator \(holiday\)/),
    'deliveries resumed',
  ])
})

it('reads the breaker no more often than allowed', async () => {
  const { breaker, move } = watchedBreaker(60_000)
  await breaker.read()
  move({ pause: { reason: '', since: 5 }, trip: null })
  expect(await breaker.read()).toEqual(closedBreaker)
})

it('reports its start to the store', async () => {
  const { breaker, calls } = watchedBreaker()
  await breaker.start()
  expect(calls).toEqual(['worker started'])
})

it('continues with the last known state while the store is unreachable', async () => {
  const { breaker, store, record, said } = watchedBreaker()
  const read = store.read
  await record([refused])
  const before = said()
  Object.assign(store, { read: () => Promise.reject(new Error('the disk is full')) })
  await record([rejection])
  expect((await breaker.read()).trip).not.toBeNull()
  expect(said().slice(before.length), 'once, however often it looks').toEqual(['the store is away'])
  Object.assign(store, { read })
  expect(await breaker.read()).toEqual(closedBreaker)
})
