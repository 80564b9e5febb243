import { expect, test } from 'vitest'
import { closedBreaker } from '#domain/delivery/breaker.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'
import { makeReadDeliveries } from './read-deliveries.ts'

const now = 1000
const actor: ConsoleActor = {
  kind: 'console',
  id: 'a',
  email: 'ada@example.edu',
  role: 'viewer',
  lastAuthenticatedAt: 0,
  network: '',
}
const none = { count: 0, isAll: true }
const figures = {
  barMs: 1,
  bars: [],
  total: { delivered: 0, rejected: 0, failed: 0 },
}

const readWith = (groupsCountedAt: number) =>
  makeReadDeliveries({
    readBreaker: async () => closedBreaker,
    readBacklog: async () => ({
      value: { waiting: none, due: none, oldest: undefined },
      countedAt: now,
    }),
    readGroups: async () => ({ value: [], countedAt: groupsCountedAt }),
    readFigures: async () => ({ value: figures, countedAt: now }),
    clock: () => now,
  })(actor)

test('says whether something was counted for somebody who looked before, so that a page that follows asks again', async () => {
  expect((await readWith(now - 1)).isOld).toBe(true)
  expect((await readWith(now)).isOld).toBe(false)
})
