import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { toReference } from '#domain/lead/reference.ts'
import { makeIdAt } from '#server/platform/database/time-ordered-id.ts'
import { exampleArrival, exampleTime } from '#tests/store/example-arrival.ts'
import { storePlaces, usePlace } from '#tests/store/store-places.ts'
import { findReferencedIds } from './find-references.ts'

describe.each(storePlaces)('references on $name', ({ makePlace }) => {
  const place = usePlace(makePlace)

  /** An arrival whose id has the same reference as the other ids of the same end. */
  const withEnd = (end: string, at = exampleTime) =>
    exampleArrival({ id: makeIdAt(at).slice(0, -end.length) + end, receivedAt: at })

  test('a lead whose reference is taken is stored under another id, also within one batch', async () => {
    const store = await place.open()
    const arrivals = [withEnd('abcdef012'), withEnd('abcdef012'), withEnd('abcdef012')]
    const stored = await Promise.all(arrivals.map((arrival) => store.intake.accept(arrival)))
    const later = await store.intake.accept(withEnd('abcdef012'))
    const ids = [...stored, later].map(({ id }) => id)
    expect(ids.filter((id) => id.endsWith('abcdef012'))).toHaveLength(1)
    expect(new Set(ids.map(toReference)).size).toBe(4)
    for (const id of ids) {
      expect(await findReferencedIds(store.database.db, toReference(id))).toEqual([id])
      const found = await store.leadReader.find(id, exampleTime)
      expect(found).toMatchObject({ status: 'pending', lead: { id }, duplicateOf: null })
    }
    expect(await store.leadReader.page({ now: exampleTime, take: 9 })).toHaveLength(4)
  })

  test('two processes give one reference to one lead', async () => {
    const stores = [await place.open(), await place.open()]
    const stored = await Promise.all(
      Array.from({ length: 20 }, (_, n) => stores[n % 2]?.intake.accept(withEnd('123456789'))),
    )
    expect(new Set(stored.map((lead) => toReference(lead?.id ?? ''))).size).toBe(20)
  })

  test('a repeated enquiry keeps the reference that its first try got', async () => {
    const store = await place.open()
    await store.intake.accept(withEnd('abcdef012'))
    const arrival = withEnd('abcdef012')
    const first = await store.intake.accept(arrival)
    expect(await store.intake.accept(arrival)).toEqual({ ...first, repeated: true })
  })

  test('leads of release 0.3.0 may share a reference, and are all found', async () => {
    const store = await place.open()
    const { db } = store.database
    const older = [1, 2].map((n) => withEnd('123456789', exampleTime - 3 + n))
    for (const arrival of older) {
      await store.intake.accept(arrival)
      // Release 0.3.0, which may run beside this one, leaves the column empty.
      await sql`update leads set reference = null`.execute(db)
    }
    const newer = await store.intake.accept(withEnd('123456789'))
    const ids = [...older.map(({ lead }) => lead.id), newer.id]
    expect(new Set(ids.map(toReference)).size).toBe(1)
    expect(await findReferencedIds(db, toReference(newer.id))).toEqual(ids)
  })
})
