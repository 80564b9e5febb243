import { randomUUIDv7 } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import { deleteExpiredRows } from '#server/store/expired-rows.ts'
import type { Store } from '#server/store/open-store.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { readAttemptChart } from './delivery-counts.ts'

const minute = 60_000
/** A Sunday at noon, where a bar of the chart begins. */
const noon = Date.UTC(2026, 10, 22, 12)

const delivered: AttemptOutcome = { name: 'delivered', httpStatus: 200 }
const rejected: AttemptOutcome = { name: 'rejected', httpStatus: 200 }
const busy: AttemptOutcome = { name: 'busy', httpStatus: 503 }

interface MadeAttempt {
  readonly outcome?: AttemptOutcome
  readonly endedAt: number
}

/** Accepts a lead for each attempt, and records all attempts at once. */
async function makeAttempts(store: Store, attempts: readonly MadeAttempt[]) {
  const arrivals = attempts.map(({ endedAt }) =>
    exampleArrival({ receivedAt: endedAt - 2 * minute }),
  )
  await Promise.all(arrivals.map((arrival) => store.intake.accept(arrival)))
  const claim = { now: noon + 600 * minute, leaseUntil: noon + 601 * minute }
  const claimed = await store.queue.claimDue({ ...claim, limit: 1000 })
  const records = claimed.map(({ id, lease, lead }) => {
    const { endedAt = noon, outcome = delivered } =
      attempts[arrivals.findIndex((arrival) => arrival.lead.id === lead.id)] ?? {}
    const settledAs = outcome.name === 'rejected' ? 'rejected' : 'delivered'
    const next =
      outcome.name === 'busy'
        ? ({ retryAt: claim.leaseUntil + minute, setBy: 'schedule' } as const)
        : ({ settledAs, at: endedAt } as const)
    const durationMs = outcome.name === 'busy' ? 900 : 100
    const made = { deliveryId: id, lease, startedAt: endedAt - durationMs, durationMs }
    return { id: randomUUIDv7(), ...made, outcome, next }
  })
  await Promise.all(records.map((record) => store.queue.record(record)))
  return records
}

describe.each(storePlaces)('the figures of deliveries on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('count each attempt once in the bar that it ended in, also of several processes', async () => {
    const store = await place.open()
    const other = await place.open()
    const records = await makeAttempts(store, [
      { endedAt: noon - minute },
      { endedAt: noon + 30_000 },
      { endedAt: noon + 500, outcome: busy },
      { endedAt: noon + 32_000, outcome: rejected },
    ])
    // An attempt that is recorded twice counts once.
    await Promise.all(records.map((record) => other.queue.record(record)))
    await Promise.all([
      makeAttempts(store, [{ endedAt: noon + 40_000 }]),
      makeAttempts(other, [{ endedAt: noon + 41_000 }]),
    ])
    const { bars, total, latency } = await readAttemptChart(store.rollups, noon + minute)
    expect(latency).toEqual({ calls: 6, medianMs: 100, p95Ms: 900 })
    expect(bars).toHaveLength(48)
    expect(bars.at(-1)).toMatchObject({ from: noon, delivered: 3, rejected: 1, failed: 1 })
    expect(bars.at(-2)).toMatchObject({ delivered: 1, rejected: 0, failed: 0 })
    expect(total).toEqual({ delivered: 4, rejected: 1, failed: 1 })
  })

  test('count an attempt whose process ended without a result', async () => {
    const store = await place.open()
    await store.intake.accept(exampleArrival({ receivedAt: noon }))
    for (const now of [noon, noon + minute]) {
      await store.queue.claimDue({ now, leaseUntil: now + minute, limit: 1 })
    }
    const { total } = await readAttemptChart(store.rollups, noon + 2 * minute)
    expect(total).toEqual({ delivered: 0, rejected: 0, failed: 1 })
  })

  test('are deleted after eight days', async () => {
    const store = await place.open()
    await makeAttempts(store, [{ endedAt: noon }])
    await deleteExpiredRows(store.operators.db, noon + 9 * 24 * 60 * minute)
    expect(await store.rollups.list(0)).toEqual([])
  })
})
