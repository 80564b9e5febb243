import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterEach, expect, it, vi } from 'vitest'
import { closedBreaker } from '#domain/delivery/breaker.ts'
import type { LeadStats } from '#server/leads/lead-stats.ts'
import { addStoredMetrics } from './metrics.ts'

afterEach(() => {
  vi.useRealTimers()
})

const stats: LeadStats = {
  leads: 3,
  byStatus: {
    pending: 2,
    leased: 0,
    delivered: 1,
    rejected: 0,
    dead: 0,
    'do-not-contact': 0,
    duplicate: 0,
    quarantined: 0,
    erased: 0,
  },
  retriedRejections: 0,
  held: 0,
  notifications: { waiting: 0, sent: 0, ended: 0 },
  unreadable: 1,
  rejectedByCap: 0,
  deliveredThenErased: 0,
  erasedBy: { request: 0, retention: 0 },
  returned: 0,
  attempts: 1,
  attemptsByOutcome: { delivered: 1 },
  duplicatesPossiblySent: 0,
  oldestPendingAgeMs: 1500,
}
const lost = new Error('the database is away')

/** Makes metrics for a store whose answers the test controls. */
function watchedStore() {
  const lines: string[] = []
  const log = pino({}, { write: (line) => lines.push(line) })
  const store = {
    leadReader: { stats: async () => stats },
    breaker: { read: async () => closedBreaker },
    backlog: { firstDue: async () => -90_000 as number | undefined },
    storeClock: { aheadMs: () => -7000 },
  }
  const state: { checkStore: () => Promise<void> } = { checkStore: async () => undefined }
  const registry = new Registry()
  const checkStore = () => state.checkStore()
  addStoredMetrics(registry, { ...store, checkStore, clock: () => 0, log })
  const values = async () => (await registry.metrics()).split('\n').filter((l) => /^\w/.test(l))
  return { store, state, values, lines }
}

it('omits metrics that cannot be read, and reports the store as unavailable', async () => {
  vi.useFakeTimers()
  const { store, state, values } = watchedStore()
  expect(await values()).toEqual(
    expect.arrayContaining(['store_up 1', 'leads{status="pending"} 2', 'delivery_backlog 2']),
  )
  const isAway = () => Promise.reject(lost)
  state.checkStore = isAway
  Object.assign(store.breaker, { read: isAway })
  Object.assign(store.leadReader, { stats: isAway })
  Object.assign(store.backlog, { firstDue: isAway })
  expect(await values()).toEqual(['store_up 0', 'clock_ahead_seconds -7'])
  Object.assign(store.leadReader, { stats: async () => stats })
  expect(await values()).toEqual(expect.arrayContaining(['store_up 0', 'delivery_backlog 2']))
})

it('reports how long a delivery has been due, and ignores future ones', async () => {
  const { values } = watchedStore()
  expect(await values()).toContain('delivery_longest_due_seconds 90')
  for (const firstDue of [60_000, undefined]) {
    const { store, values } = watchedStore()
    Object.assign(store.backlog, { firstDue: async () => firstDue })
    expect(await values()).toContain('delivery_longest_due_seconds 0')
  }
})

it('logs a lasting failure once', async () => {
  vi.useFakeTimers()
  const { store, values, lines } = watchedStore()
  Object.assign(store.leadReader, { stats: () => Promise.reject(lost) })
  expect(await values()).toEqual(expect.arrayContaining(['store_up 1', 'delivery_outage 0']))
  await values()
  expect(lines).toHaveLength(1)
})

it('answers before a monitor’s timeout and asks a silent store only once', async () => {
  vi.useFakeTimers()
  const { store, values } = watchedStore()
  const silent = vi.fn(() => new Promise<never>(() => undefined))
  Object.assign(store.breaker, { read: silent })
  for (let scrape = 0; scrape < 3; scrape++) {
    const read = values()
    await vi.advanceTimersByTimeAsync(8000)
    expect(await read).toEqual(expect.arrayContaining(['store_up 1', 'delivery_backlog 2']))
    expect((await read).join()).not.toContain('delivery_outage')
  }
  expect(silent).toHaveBeenCalledTimes(1)
})
