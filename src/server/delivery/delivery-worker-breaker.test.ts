import { expect, it } from 'vitest'
import { type BreakerState, closedBreaker } from '#domain/delivery/breaker.ts'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import { delivered, deliveries, queueOf, startWorker } from '#tests/delivery/start-worker.ts'

const paused: BreakerState = { pause: { reason: '', since: 0 }, trip: null }

it('sends nothing while the breaker is open, and everything once it is closed', async () => {
  const { queue } = queueOf(deliveries(3))
  let state = paused
  const looked = Promise.withResolvers<void>()
  const sent: string[] = []
  const done = Promise.withResolvers<void>()
  let breakerReads = 0
  startWorker(
    queue,
    async ({ id }) => {
      sent.push(id)
      if (sent.length === 3) done.resolve()
      return delivered
    },
    {
      pollEvery: 1,
      breakerState: () => {
        if (++breakerReads === 5) looked.resolve()
        return state
      },
    },
  )
  await looked.promise
  expect(sent).toEqual([])
  state = closedBreaker
  await done.promise
})

it('gives back unused deliveries when the breaker opens', async () => {
  const { queue, givenBack } = queueOf(deliveries(4))
  let state: BreakerState = closedBreaker
  const call = Promise.withResolvers<AttemptOutcome>()
  const gaveBack = Promise.withResolvers<void>()
  const sent: string[] = []
  startWorker(
    {
      ...queue,
      giveBack: async (given) => {
        givenBack.push(...given)
        gaveBack.resolve()
      },
    },
    async ({ id }) => {
      sent.push(id)
      state = paused
      return call.promise
    },
    { pollEvery: 1, breakerState: () => state },
  )
  await gaveBack.promise
  call.resolve({ name: 'unreachable', reason: 'no-connection' })
  expect(sent).toEqual(['0'])
  expect(givenBack.map(({ id }) => id)).toEqual(['1', '2', '3'])
})

it('sends a probe when one is due, and not before', async () => {
  const { queue, due } = queueOf(deliveries(2))
  let now = 0
  const failure = { cause: 'refused', reason: 'HTTP 403', since: 0, failedProbes: 0 } as const
  const trip = { ...failure, probeAt: 20, repeatAt: 20 }
  const probes: number[] = []
  const done = Promise.withResolvers<void>()
  startWorker(
    queue,
    async () => {
      probes.push(now)
      done.resolve()
      return { name: 'unreachable', reason: 'no-connection' }
    },
    {
      pollEvery: 1,
      clock: () => now++,
      breakerState: () => (probes.length === 0 ? { pause: null, trip } : paused),
    },
  )
  await done.promise
  expect(probes[0]).toBeGreaterThan(20)
  expect(due).toHaveLength(1)
})
