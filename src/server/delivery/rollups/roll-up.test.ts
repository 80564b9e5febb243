import { expect, test } from 'vitest'
import {
  type DeliveryRollup,
  type DeliveryRollups,
  keptMs,
  type MadeAttempt,
  slotMs,
} from './delivery-rollups.ts'
import { figuresOf } from './figures-of.ts'
import { rollUpNext } from './roll-up.ts'

const minute = 60_000
/** A Sunday, at noon: a slot, a bar of each range and a day begin then or before. */
const noon = Date.UTC(2026, 10, 22, 12)

interface Written extends Omit<MadeAttempt, 'id'> {
  /** When it was written down. */
  readonly at: number
}

/** As a store has them: found by when they were written down. */
function storeOf(written: readonly Written[]) {
  const kept: DeliveryRollup[] = []
  const attempts = written
    .toSorted((one, other) => one.at - other.at)
    .map((attempt, index) => ({ ...attempt, id: String(index).padStart(6, '0') }))
  const within = ({ since, until }: { readonly since: number; readonly until: number }) =>
    attempts.filter(({ at }) => at >= since && at < until)
  const rollups: DeliveryRollups = {
    list: async (since) => kept.filter(({ from }) => from >= since),
    answers: async (since) => kept.filter(({ from }) => from >= since),
    newest: async () => kept.at(-1)?.from,
    keep: async (rollup, now) => {
      kept.push(rollup)
      while (kept[0] !== undefined && kept[0].from < now - keptMs) kept.shift()
    },
    latest: async () => [],
    attempts: async ({ after = '', take, ...range }) =>
      within(range)
        .filter(({ id }) => id > after)
        .slice(0, take),
    firstAttempt: async (range) => within(range)[0]?.at,
  }
  return { kept, rollups }
}

const madeAt = (at: number, outcome: Written['outcome'] = 'delivered'): Written => ({
  at,
  outcome,
  startedAt: at - 100,
  durationMs: 100,
  owedAt: at - 2 * minute,
})

const waiting = { waiting: { count: 7, isAll: true }, due: { count: 0, isAll: true } }

async function rollUpAll(store: ReturnType<typeof storeOf>, now: number): Promise<void> {
  const backlog = { read: async () => ({ ...waiting, oldest: { id: 'a', receivedAt: noon - 1 } }) }
  const rest = async () => undefined
  while (await rollUpNext({ rollups: store.rollups, backlog, clock: () => now, rest }));
}

test('begins with what is kept, however old what was sent is, and comes to an end', async () => {
  const now = noon + 7 * minute
  const store = storeOf([
    madeAt(now - keptMs - minute),
    madeAt(now - keptMs + minute),
    madeAt(noon),
  ])
  await rollUpAll(store, now)
  expect(store.kept.map(({ from }) => from)).toEqual([noon])
})

test('counts five minutes once they have been over for a minute, and leaves out when nothing was sent', async () => {
  const store = storeOf([
    ...Array.from({ length: 450 }, (_, index) => madeAt(noon + index)),
    madeAt(noon + 1, 'rejected'),
    madeAt(noon + 2, 'unknown'),
    madeAt(noon + 3, 'not-made'),
    madeAt(noon + 60 * minute, 'busy'),
  ])
  await rollUpAll(store, noon + 65 * minute)
  expect(
    store.kept.map(({ from, delivered, failed, waiting }) => [from, delivered, failed, waiting]),
  ).toEqual([
    [noon, 450, 1, null],
    [noon + 55 * minute, 0, 0, 7],
  ])
  expect(store.kept[0]).toMatchObject({ rejected: 1, oldestAt: null })
  expect(Object.values(store.kept[0]?.calls ?? {})).toEqual([452])
  await rollUpAll(store, noon + 66 * minute)
  expect(store.kept.at(-1)).toMatchObject({
    from: noon + 60 * minute,
    failed: 1,
    oldestAt: noon - 1,
  })
})

test('a page counts what is not rolled up yet, and nothing twice', async () => {
  const store = storeOf([
    madeAt(noon - 3 * minute),
    madeAt(noon + 30_000),
    madeAt(noon + 31_000, 'busy'),
  ])
  const now = noon + minute
  for (const isRolledUp of [false, true]) {
    if (isRolledUp) await rollUpAll(store, now)
    expect(store.kept).toHaveLength(isRolledUp ? 1 : 0)
    const { bars, total, countedUntil } = await figuresOf(store.rollups, '3h', now)
    expect(bars).toHaveLength(36)
    expect(bars.at(-1)).toMatchObject({ from: noon, delivered: 1, failed: 1 })
    expect(bars.at(-2)).toMatchObject({ from: noon - slotMs, delivered: 1 })
    expect(total).toEqual({ delivered: 2, rejected: 0, failed: 1 })
    expect(countedUntil).toBeUndefined()
  }
})

test('where too many are to be counted for a page it says up to when it has', async () => {
  const store = storeOf(Array.from({ length: 10_001 }, (_, index) => madeAt(noon + index)))
  const { total, countedUntil } = await figuresOf(store.rollups, '24h', noon + minute)
  expect([total.delivered, countedUntil]).toEqual([10_000, noon + 9999])
})

test('a longer range adds them up, with how long half and nearly all of them took', async () => {
  const store = storeOf([
    ...Array.from({ length: 9 }, (_, index) => madeAt(noon + index * minute)),
    { ...madeAt(noon + 10 * minute), owedAt: noon - 60 * minute },
  ])
  await rollUpAll(store, noon + 20 * minute)
  const { bars } = await figuresOf(store.rollups, '24h', noon + 20 * minute)
  const bar = bars.at(-1)
  expect(bar).toMatchObject({ from: noon, delivered: 10, waiting: 7 })
  expect((bar?.waits?.median ?? 0) / minute).toBeCloseTo(2.2, 0)
  expect((bar?.waits?.slow ?? 0) / minute).toBeGreaterThanOrEqual(70)
})
