import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Lead } from '#domain/lead/lead.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { storePlaces, usePlace } from '#tests/store/store-places.ts'
import { versionBefore } from '#tests/store/version-before.ts'

const receivedAt = Date.now()

describe.each(storePlaces)('a lead of the version before, on $name', ({ makePlace }) => {
  const place = usePlace(makePlace)

  test('is repeated by its person, and by nobody with another name', async () => {
    const person = { email: 'ada@example.com', receivedAt }
    const before = exampleArrival(person)
    const suspicious = { ...exampleArrival(person), isQuarantined: true }
    await versionBefore.migrate(place.settings())
    await versionBefore.accept(place.settings(), before)
    await versionBefore.accept(place.settings(), suspicious)

    const { intake, quarantine } = await place.open()
    const other = exampleArrival({ ...person, firstName: 'Bea' })
    expect(await intake.accept(other)).toMatchObject({ duplicateOf: null })
    const again = exampleArrival(person)
    expect(await intake.accept(again)).toMatchObject({ duplicateOf: before.lead.id })
    expect(await quarantine.release(suspicious.lead.id, receivedAt)).toEqual({
      kind: 'duplicate',
      of: before.lead.id,
    })
  })

  test('and one that it takes on the new schema are met by what was said, not by a hash', async () => {
    const key = randomUUID()
    const person = { email: 'ada@example.com', receivedAt }
    const before = exampleArrival(person, key)
    const beside = exampleArrival({ email: 'bea@example.com', receivedAt })
    await versionBefore.migrate(place.settings())
    await versionBefore.accept(place.settings(), before)
    const { intake, archive } = await place.open()
    await versionBefore.accept(place.settings(), beside)
    const accept = (lead: Partial<Lead>, sentKey: string) =>
      intake.accept(exampleArrival(lead, sentKey))

    expect(await accept(person, key)).toMatchObject({ id: before.lead.id, repeated: true })
    expect(await accept({ ...person, phone: '9415550199' }, key)).toMatchObject({
      repeated: false,
      corrects: before.lead.id,
    })
    const { id, ...said } = beside.lead
    expect(await accept(said, beside.idempotencyKey)).toMatchObject({ id, repeated: true })
    // That version takes it for the first one, as it always did, and nothing is stored or lost.
    await versionBefore.accept(place.settings(), exampleArrival({ ...person, phone: '1' }, key))
    expect(await archive.stats(receivedAt)).toMatchObject({ leads: 3, byStatus: { pending: 3 } })
  })
})
