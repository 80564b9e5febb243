import { describe, expect, onTestFinished, test } from 'vitest'
import type { ClaimedDelivery } from '#server/delivery/claim-deliveries.ts'
import { openStore } from '#server/store/open-store.ts'
import { commit, startFaultyLine } from '#tests/postgres/faulty-line.ts'
import { exampleArrival, exampleTime as now } from '#tests/store/example-arrival.ts'
import { postgresPlace, usePlace } from '#tests/store/store-places.ts'
import { ConnectionLostError } from '../../faults/database-errors.ts'

const claim = { now, leaseUntil: now + 60_000, limit: 9 }
describe('a store on PostgreSQL with a failing connection', () => {
  const place = usePlace(postgresPlace)

  /** Opens a store whose connection can fail, and a second store that always works. */
  async function twoStores() {
    const sound = await place.open()
    const line = await startFaultyLine(place.settings().databaseUrl ?? '')
    onTestFinished(line.close)
    const store = await openStore({ dataDir: '', databaseUrl: line.url })
    onTestFinished(store.close)
    return { store, sound, line }
  }

  test('deliveries of a claim with a lost answer can be claimed at once, and count as never sent', async () => {
    const { store, line } = await twoStores()
    const { lead } = exampleArrival()
    await store.intake.accept(exampleArrival(lead))
    const lost = line.severAt([commit], 'after')
    await expect(store.queue.claimDue(claim)).rejects.toThrow(ConnectionLostError)
    await lost
    expect(await store.queue.claimDue(claim)).toMatchObject([
      { lead: { id: lead.id }, attemptsSpent: 0 },
    ])
    const details = await store.leadReader.find(lead.id, now)
    expect(details?.delivery?.attempts).toEqual([])
  })

  test('a row that a silent worker has locked is free for the others within seconds', async () => {
    const { store, sound, line } = await twoStores()
    await store.intake.accept(exampleArrival())
    const [delivery] = (await store.queue.claimDue(claim)) as [ClaimedDelivery]
    const attempt = {
      id: crypto.randomUUID(),
      deliveryId: delivery.id,
      lease: delivery.lease,
      startedAt: now,
      durationMs: 5,
      outcome: { name: 'delivered', httpStatus: 200 },
      next: { settledAs: 'delivered', at: now + 5 },
    } as const
    const silent = line.fallSilentAt('insert into "attempts"', 'answers')
    const unheard = expect(store.queue.record(attempt)).rejects.toThrow(ConnectionLostError)
    await silent
    expect(await sound.queue.record({ ...attempt, id: crypto.randomUUID() })).toBe(true)
    await unheard
    // The same attempt is recorded a second time, because the first transaction was rolled back.
    expect(await store.queue.record(attempt)).toBe(false)
    const details = await sound.leadReader.find(delivery.lead.id, now)
    expect(details?.delivery?.attempts).toHaveLength(2)
  })
})
