import { randomUUIDv7 } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { toEmailAddress } from '#server/platform/email-address.ts'
import type { Store } from '#server/store/open-store.ts'
import { retryLead } from '#tests/store/act-on-leads.ts'
import { exampleArrival, exampleTime } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storeLeadOfEachStatus } from '#tests/store/lead-of-each-status.ts'
import { retryAllEnded } from '#tests/store/retry-all-ended.ts'
import { storePlaces } from '#tests/store/store-places.ts'

const now = exampleTime
const later = now + 1000
const minute = 60_000
const none = { due: 0, overtaken: 0, unreadable: 0 }

const claim = (store: Store, limit = 10) =>
  store.queue.claimDue({ now: later, leaseUntil: later + minute, limit })

/** Settles every due delivery as dead. */
async function endAll(store: Store): Promise<void> {
  const claimed = await claim(store, 5000)
  await Promise.all(
    claimed.map(({ id, lease }) =>
      store.queue.record({
        id: randomUUIDv7(),
        deliveryId: id,
        lease,
        startedAt: later,
        durationMs: 5,
        outcome: { name: 'broken', httpStatus: 500, reason: 'server-error' },
        next: { settledAs: 'dead', at: later },
      }),
    ),
  )
}

describe.each(storePlaces)('retrying deliveries on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test.each(['dead', 'rejected', 'pending'] as const)(
    'one that is %s is due at once, its schedule begins anew and its attempts are kept',
    async (status) => {
      const store = await place.open()
      const ids = await storeLeadOfEachStatus(store)
      expect(await claim(store)).toEqual([])
      expect(await retryLead(store, ids[status], later)).toEqual({ kind: 'due', was: status })
      expect(await claim(store)).toMatchObject([{ lead: { id: ids[status] }, attemptsSpent: 0 }])
      const details = await store.leadReader.find(ids[status], later)
      expect(details?.delivery).toMatchObject({ settledAs: null, settledAt: null })
      expect(details?.delivery?.attempts).toHaveLength(1)
    },
  )

  test.each(['delivered', 'leased', 'quarantined', 'erased'] as const)(
    'one that is %s stays as it is',
    async (status) => {
      const store = await place.open()
      const ids = await storeLeadOfEachStatus(store)
      const before = await store.leadReader.find(ids[status], now)
      expect(await retryLead(store, ids[status], now)).toEqual({ kind: status })
      expect(await store.leadReader.find(ids[status], now)).toEqual(before)
    },
  )

  test('a duplicate has no delivery; the result names the lead that has it', async () => {
    const store = await place.open()
    const ids = await storeLeadOfEachStatus(store)
    expect(await retryLead(store, ids.duplicate, now)).toEqual({
      kind: 'duplicate',
      of: ids.delivered,
    })
  })

  test('an unknown id is reported', async () => {
    const store = await place.open()
    expect(await retryLead(store, 'nobody', now)).toEqual({ kind: 'unknown' })
  })

  test.each([
    ['dead', 'dead'],
    ['rejected by cap', 'rejected'],
  ] as const)('all that are %s, and no others', async (which, status) => {
    const store = await place.open()
    const ids = await storeLeadOfEachStatus(store)
    expect(await retryAllEnded(store, place.settings(), { which, now: later })).toEqual({
      due: 1,
      overtaken: 0,
      unreadable: 0,
    })
    expect((await claim(store)).map(({ lead }) => lead.id)).toEqual([ids[status]])
    expect(await retryAllEnded(store, place.settings(), { which, now: later })).toEqual(none)
  })

  test('an older lead is not retried while the person’s newer lead counts, but is once the newer lead is dead', async () => {
    const store = await place.open()
    const person = { email: 'ada@example.com' }
    const accept = async (receivedAt: number) => {
      const { lead, ...arrival } = exampleArrival({ ...person, receivedAt })
      await store.intake.accept({ lead, ...arrival })
      return lead.id
    }
    const first = await accept(now)
    await endAll(store)
    const again = await accept(now + 1)
    const overtaken = { kind: 'overtaken', by: again }
    expect(await retryLead(store, first, later)).toEqual(overtaken)
    expect(await retryAllEnded(store, place.settings(), { which: 'dead', now: later })).toEqual({
      due: 0,
      overtaken: 1,
      unreadable: 0,
    })
    expect((await store.leadReader.find(first, later))?.status).toBe('dead')
    await endAll(store)
    // If both leads can be retried, only the lead that was received first is sent.
    expect(await retryAllEnded(store, place.settings(), { which: 'dead', now: later })).toEqual({
      due: 1,
      overtaken: 1,
      unreadable: 0,
    })
    expect((await claim(store)).map(({ lead }) => lead.id)).toEqual([first])
    // The first lead holds the dedupe key again.
    expect(await retryLead(store, again, later)).toEqual({ kind: 'overtaken', by: first })
    const third = exampleArrival({ ...person, receivedAt: now })
    expect(await store.intake.accept(third)).toMatchObject({
      duplicateOf: first,
    })
  })

  test('a dead one whose person was erased is left alone', async () => {
    const store = await place.open()
    await storeLeadOfEachStatus(store)
    await store.erasure.erase(toEmailAddress('dead@example.com'), now)
    expect(await retryAllEnded(store, place.settings(), { which: 'dead', now: later })).toEqual(
      none,
    )
    expect(await claim(store)).toEqual([])
  })
})
