import { describe, expect, test } from 'vitest'
import type { Lead } from '#domain/lead/lead.ts'
import type { LeadArrival } from '#server/use-cases/accept-enquiry.ts'
import { exampleArrival, exampleTime } from '#tests/store/example-arrival.ts'
import { storePlaces, usePlace } from '#tests/store/store-places.ts'
import type { Store } from '../open-store.ts'

const day = 24 * 60 * 60 * 1000
const { program } = exampleArrival().lead

/** Ruling 18: what somebody asks for who has asked before, and whether that is a duplicate. */
const cases: readonly (readonly [name: string, change: Partial<Lead>, isDuplicate: boolean])[] = [
  ['the same again', {}, true],
  ['a millisecond before 24 hours are over', { receivedAt: exampleTime + day - 1 }, true],
  ['after 24 hours', { receivedAt: exampleTime + day }, false],
  ['the email in capitals', { email: 'ADA@Example.com' }, true],
  ['the first name by its letter, the last name without accent', { lastName: 'NUNEZ' }, true],
  ['another street, affiliate and area', { street: '2', subId: 'b', area: 'general' }, true],
  ['another first name', { firstName: 'Bea' }, false],
  ['another last name', { lastName: 'Byron' }, false],
  ['another email', { email: 'bea@example.com' }, false],
  ['another phone', { phone: '9415550111' }, false],
  ['another program', { program: { ...program, id: 13 } }, false],
]

type Way = (store: Store, arrivals: readonly [LeadArrival, LeadArrival]) => Promise<string | null>

const quarantined = (arrival: LeadArrival): LeadArrival => ({
  ...arrival,
  signals: ['too-fast'],
  isQuarantined: true,
})

const releasedDuplicate = async ({ quarantine }: Store, { lead }: LeadArrival) => {
  const outcome = await quarantine.release(lead.id, lead.receivedAt)
  return outcome.kind === 'duplicate' ? outcome.of : null
}

/** All that make a lead owe its delivery; each resolves with what the second one repeats. */
const ways: Readonly<Record<string, Way>> = {
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

describe.each(storePlaces)('who asks twice, on $name', ({ makePlace }) => {
  const place = usePlace(makePlace)

  test.each(Object.entries(ways))('%s', async (_, way) => {
    const store = await place.open()
    const asked = cases.map(async ([name, change, isDuplicate], index) => {
      // A phone of each case's own.
      const person = { email: 'ada@example.com', lastName: 'Núñez', phone: `94155502${10 + index}` }
      const first = exampleArrival(person)
      const second = exampleArrival({ ...person, ...change })
      const duplicateOf = isDuplicate ? first.lead.id : null
      expect(await way(store, [first, second]), name).toBe(duplicateOf)
      expect(await store.archive.find(second.lead.id, 0), name).toMatchObject({
        status: isDuplicate ? 'duplicate' : 'pending',
        duplicateOf,
      })
    })
    await Promise.all(asked)
  })
})
