import { expect, it } from 'vitest'
import type { Passage } from '#domain/delivery/gate.ts'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import { delivered, deliveries, queueOf, startWorker } from '#tests/delivery/start-worker.ts'

it('sends nothing while the gate is shut, and everything once it is open', async () => {
  const { queue } = queueOf(deliveries(3))
  let passage: Passage = { kind: 'shut' }
  const looked = Promise.withResolvers<void>()
  const sent: string[] = []
  const done = Promise.withResolvers<void>()
  let looks = 0
  startWorker(
    queue,
    async ({ id }) => {
      sent.push(id)
      if (sent.length === 3) done.resolve()
      return delivered
    },
    {
      pollEvery: 1,
      passage: () => {
        if (++looks === 5) looked.resolve()
        return passage
      },
    },
  )
  await looked.promise
  expect(sent).toEqual([])
  passage = { kind: 'open' }
  await done.promise
})

it('gives back what it has claimed ahead when the gate shuts under way', async () => {
  const { queue, released } = queueOf(deliveries(4))
  let passage: Passage = { kind: 'open' }
  const call = Promise.withResolvers<AttemptOutcome>()
  const givenBack = Promise.withResolvers<void>()
  const sent: string[] = []
  startWorker(
    {
      ...queue,
      release: async (given) => {
        released.push(...given)
        givenBack.resolve()
      },
    },
    async ({ id }) => {
      sent.push(id)
      passage = { kind: 'shut' }
      return call.promise
    },
    { pollEvery: 1, passage: () => passage },
  )
  await givenBack.promise
  call.resolve({ name: 'unreachable', reason: 'no-connection' })
  expect(sent).toEqual(['0'])
  expect(released.map(({ id }) => id)).toEqual(['1', '2', '3'])
})

it('makes a probe when it is time for one, and not before', async () => {
  const { queue, due } = queueOf(deliveries(2))
  let now = 0
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
      passage: () => (probes.length === 0 ? { kind: 'probe', at: 20 } : { kind: 'shut' }),
    },
  )
  await done.promise
  expect(probes[0]).toBeGreaterThan(20)
  expect(due).toHaveLength(1)
})
