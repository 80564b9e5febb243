import { randomUUIDv7 } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Settlement } from '#domain/delivery/delivery.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { LeadArrival } from '#server/enquiries/lead-arrival.ts'
import type { Store } from '#server/store/open-store.ts'
import { releaseLead } from '#tests/store/act-on-leads.ts'
import { exampleArrival, exampleTime } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storePlaces } from '#tests/store/store-places.ts'

const day = 24 * 60 * 60 * 1000
const { program } = exampleArrival().lead

/** Second enquiries of a person who has enquired before, and whether each is a duplicate. */
const cases: readonly (readonly [name: string, change: Partial<Lead>, isDuplicate: boolean])[] = [
  ['the same again', {}, true],
  ['a millisecond before 24 hours are over', { receivedAt: exampleTime + day - 1 }, true],
  ['after 24 hours', { receivedAt: exampleTime + day }, false],
  ['the email in capitals', { email: 'ADA@Example.com' }, true],
  ['the first name by its letter, the last name without accent', { lastName: 'NUNEZ' }, true],
  ['another street, affiliate and area', { address: '2', subId: 'b', area: 'general' }, true],
  ['another first name', { firstName: 'Bea' }, false],
  ['another last name', { lastName: 'Byron' }, false],
  ['another email', { email: 'bea@example.com' }, false],
  ['another phone', { phone: '9415550111' }, false],
  ['another program', { program: { ...program, id: 13 } }, false],
]

type ArrivalOrder = (
  store: Store,
  arrivals: readonly [LeadArrival, LeadArrival],
) => Promise<string | null>

const quarantined = (arrival: LeadArrival): LeadArrival => ({
  ...arrival,
  signals: ['too-fast'],
  isQuarantined: true,
})

const releasedDuplicate = async (store: Store, { lead }: LeadArrival) => {
  const outcome = await releaseLead(store, lead.id, lead.receivedAt)
  return outcome.kind === 'duplicate' ? outcome.of : null
}

/** The orders in which two leads may arrive. Each function resolves with the lead that the second lead repeats. */
const arrivalOrders: Readonly<Record<string, ArrivalOrder>> = {
  'accepted one after the other': async ({ intake }, [first, second]) => {
    await intake.accept(first)
    return (await intake.accept(second)).duplicateOf
  },
  'accepted at once': async ({ intake }, arrivals) => {
    const [, { duplicateOf }] = await Promise.all([
      intake.accept(arrivals[0]),
      intake.accept(arrivals[1]),
    ])
    return duplicateOf
  },
  'released after the first was accepted': async (store, [first, second]) => {
    await store.intake.accept(quarantined(second))
    await store.intake.accept(first)
    return releasedDuplicate(store, second)
  },
  'accepted after the first was released': async (store, [first, second]) => {
    await store.intake.accept(quarantined(first))
    expect(await releasedDuplicate(store, first)).toBeNull()
    return (await store.intake.accept(second)).duplicateOf
  },
}

const rejected = { name: 'rejected', httpStatus: 200 } as const

/** Settles every due delivery with the given outcome. */
async function settleAll({ queue }: Store, settledAs: Settlement): Promise<void> {
  const now = exampleTime + day
  const owed = await queue.claimDue({ now, leaseUntil: now + 1, limit: 5000 })
  const ends = owed.map(({ id, lease }) =>
    queue.record({
      id: randomUUIDv7(),
      deliveryId: id,
      lease,
      startedAt: now,
      durationMs: 5,
      outcome: settledAs === 'delivered' ? { name: 'delivered', httpStatus: 200 } : rejected,
      next: { settledAs, at: now },
    }),
  )
  await Promise.all(ends)
}

const statusOf = async ({ leadReader }: Store, id: string) => (await leadReader.find(id, 0))?.status

type Ending = (
  store: Store,
  end: () => Promise<void>,
  arrivals: readonly [LeadArrival, LeadArrival],
) => Promise<unknown>

/** The moments at which the second enquiry may arrive while the first lead's delivery ends. */
const endings: Readonly<Record<string, Ending>> = {
  'accepted after it': async ({ intake }, end, [first, second]) => {
    await intake.accept(first)
    await end()
    return intake.accept(second)
  },
  'accepted before it': async ({ intake }, end, [first, second]) => {
    await intake.accept(first)
    expect(await intake.accept(second)).toMatchObject({ duplicateOf: first.lead.id })
    return end()
  },
  'accepted while it ends': async ({ intake }, end, [first, second]) => {
    await intake.accept(first)
    return Promise.all([end(), intake.accept(second)])
  },
  'released after it': async (store, end, [first, second]) => {
    await store.intake.accept(quarantined(second))
    await store.intake.accept(first)
    await end()
    return releaseLead(store, second.lead.id, second.lead.receivedAt)
  },
  'released before it': async (store, end, [first, second]) => {
    await store.intake.accept(quarantined(second))
    await store.intake.accept(first)
    expect(await releasedDuplicate(store, second)).toBe(first.lead.id)
    return end()
  },
}

describe.each(storePlaces)('a settled lead’s dedupe key on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test.each([
    ['rejected', 'pending'],
    ['dead', 'pending'],
    ['delivered', 'duplicate'],
  ] as const)('as %s: a repeated enquiry is %s', async (settledAs, then) => {
    const store = await place.open()
    for (const [name, ending] of Object.entries(endings)) {
      const person = { email: `${name.replaceAll(' ', '-')}@example.com` }
      const [first, second] = [exampleArrival(person), exampleArrival(person)]
      await ending(store, () => settleAll(store, settledAs), [first, second])
      expect(await statusOf(store, first.lead.id), name).toBe(settledAs)
      expect(await statusOf(store, second.lead.id), name).toBe(then)
      // The next enquiry repeats the lead that now holds the key.
      const third = await store.intake.accept(exampleArrival(person))
      const counting = then === 'pending' ? second : first
      expect(third.duplicateOf, name).toBe(counting.lead.id)
      await settleAll(store, 'delivered')
    }
  })

  test('passes to the repeats one at a time until the distributor accepts one', async () => {
    const store = await place.open()
    const person = { email: 'ada@example.com' }
    const arrivals = Array.from({ length: 4 }, (_, index) =>
      exampleArrival({ ...person, receivedAt: exampleTime + index }),
    )
    for (const arrival of arrivals) await store.intake.accept(arrival)
    const statuses = () => Promise.all(arrivals.map(({ lead: { id } }) => statusOf(store, id)))
    await settleAll(store, 'rejected')
    expect(await statuses()).toEqual(['rejected', 'pending', 'duplicate', 'duplicate'])
    await settleAll(store, 'dead')
    expect(await statuses()).toEqual(['rejected', 'dead', 'pending', 'duplicate'])
    await settleAll(store, 'delivered')
    expect(await statuses()).toEqual(['rejected', 'dead', 'delivered', 'duplicate'])
    expect(await store.leadReader.find(arrivals[3]?.lead.id ?? '', 0)).toMatchObject({
      duplicateOf: arrivals[2]?.lead.id,
    })
  })

  test('returns to a dead lead that the distributor accepted after all', async () => {
    const store = await place.open()
    const person = { email: 'ada@example.com' }
    const first = exampleArrival(person)
    await store.intake.accept(first)
    const [lost] = await store.queue.claimDue({ now: day * 1e5, leaseUntil: 1, limit: 1 })
    await settleAll(store, 'dead')
    await store.queue.record({
      id: randomUUIDv7(),
      deliveryId: lost?.id ?? '',
      lease: lost?.lease ?? '',
      startedAt: 0,
      durationMs: 5,
      outcome: { name: 'delivered', httpStatus: 200 },
      next: { settledAs: 'delivered', at: 0 },
    })
    const second = await store.intake.accept(exampleArrival(person))
    expect(second.duplicateOf).toBe(first.lead.id)
  })

  test('is free for repeats that arrive while many leads are rejected', async () => {
    const store = await place.open()
    const people = Array.from({ length: 60 }, (_, n) => ({ email: `${n}@example.com` }))
    await Promise.all(people.map((person) => store.intake.accept(exampleArrival(person))))
    const seconds = people.map((person) => exampleArrival(person))
    await Promise.all([
      settleAll(store, 'rejected'),
      ...seconds.map((second) => store.intake.accept(second)),
    ])
    expect(await store.leadReader.stats(exampleTime)).toMatchObject({
      byStatus: { rejected: 60, pending: 60, duplicate: 0 },
    })
  })
})

describe.each(storePlaces)('a repeated enquiry on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test.each(Object.entries(arrivalOrders))('%s', async (_, way) => {
    const store = await place.open()
    const asked = cases.map(async ([name, change, isDuplicate], index) => {
      // Each case has its own phone number.
      const person = { email: 'ada@example.com', lastName: 'Núñez', phone: `94155502${10 + index}` }
      const first = exampleArrival(person)
      const second = exampleArrival({ ...person, ...change })
      const duplicateOf = isDuplicate ? first.lead.id : null
      expect(await way(store, [first, second]), name).toBe(duplicateOf)
      expect(await store.leadReader.find(second.lead.id, 0), name).toMatchObject({
        status: isDuplicate ? 'duplicate' : 'pending',
        duplicateOf,
      })
    })
    await Promise.all(asked)
  })
})
