import { describe, expect, test } from 'vitest'
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
})
