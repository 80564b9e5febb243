import { describe, expect, test } from 'vitest'
import type { Lead } from '#domain/lead/lead.ts'
import type { LeadArrival } from '#server/enquiries/accept-enquiry.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { storePlaces, usePlace } from '#tests/store/store-places.ts'
import { versionBefore } from '#tests/store/version-before.ts'

const receivedAt = Date.now() - 60_000
const day = 24 * 60 * 60 * 1000

describe.each(storePlaces)('an upgrade on $name', ({ makePlace }) => {
  const place = usePlace(makePlace)

  test('lets go whoever a rejected lead of the last day has held, one a person, and whoever comes next', async () => {
    await versionBefore.migrate(place.settings())
    const arrivals: LeadArrival[] = []
    const reject = async (person: Partial<Lead>, count: number) => {
      const [first, ...repeats] = Array.from({ length: count }, (_, after) =>
        exampleArrival({ ...person, receivedAt: (person.receivedAt ?? receivedAt) + after }),
      )
      if (first === undefined) return
      arrivals.push(first, ...repeats)
      for (const one of [first, ...repeats]) await versionBefore.accept(place.settings(), one)
      await versionBefore.reject(place.settings(), first, repeats)
    }
    const [ada, bea] = [{ email: 'ada@example.com' }, { email: 'bea@example.com' }]
    await reject(ada, 3)
    await reject(bea, 1)
    await reject({ email: 'old@example.com', receivedAt: receivedAt - 3 * day }, 2)
    const second = arrivals[1]
    const { archive, intake } = await place.open()
    const found = await Promise.all(arrivals.map(({ lead }) => archive.find(lead.id, receivedAt)))
    expect(found.map((lead) => lead?.status)).toEqual([
      'rejected',
      'pending',
      'duplicate',
      'rejected',
      'rejected',
      'duplicate',
    ])
    expect(found[2]?.duplicateOf).toBe(second?.lead.id)
    expect(await intake.accept(exampleArrival({ ...ada, receivedAt }))).toMatchObject({
      duplicateOf: second?.lead.id,
    })
    expect(await intake.accept(exampleArrival({ ...bea, receivedAt }))).toMatchObject({
      duplicateOf: null,
    })
  })
})
