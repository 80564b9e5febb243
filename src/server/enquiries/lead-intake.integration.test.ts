import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Lead } from '#domain/lead/lead.ts'
import { exampleArrival, exampleTime } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { runStoreProcesses } from '#tests/store/run-store-processes.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { IntakeFullError } from './lead-intake.ts'
import type { StoreResult } from './store-arrivals.ts'

const day = 24 * 60 * 60 * 1000
const now = exampleTime + 1

describe.each(storePlaces)('accepting enquiries on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('an accepted lead, its consent and its delivery survive a restart', async () => {
    const first = await place.open()
    const arrival = exampleArrival({ subId: null, addressVerified: false })
    expect(await first.intake.accept(arrival)).toEqual({
      id: arrival.lead.id,
      repeated: false,
      duplicateOf: null,
      corrects: null,
    })
    await first.close()

    const details = await (await place.open()).leadReader.find(arrival.lead.id, now)
    expect(details).toMatchObject({
      lead: arrival.lead,
      status: 'pending',
      delivery: { nextAttemptAt: exampleTime, settledAt: null, attempts: [] },
    })
  })

  test('each lead has the consent text that its visitor agreed to', async () => {
    const store = await place.open()
    const { consent } = exampleArrival().lead
    const texts = ['I agree.', 'I agree to this, too.', 'I agree.']
    const arrivals = texts.map((text) =>
      exampleArrival({ consent: { ...consent, text, textHash: `hash of ${text}` } }),
    )
    await Promise.all(arrivals.map((arrival) => store.intake.accept(arrival)))
    const found = await Promise.all(arrivals.map(({ lead }) => store.leadReader.find(lead.id, now)))
    expect(found).toMatchObject(texts.map((text) => ({ lead: { consent: { text } } })))
  })

  test('the same key with the same content is the same lead; with other content it is a correction', async () => {
    const store = await place.open()
    const key = randomUUID()
    const email = 'ada@example.com'
    const accept = (lead: Partial<Lead>) =>
      store.intake.accept(exampleArrival({ email, ...lead }, key))
    const first = await accept({})
    const otherDetails = { subId: null, zipPlus4: '34236-5610', addressVerified: false, gpc: true }
    expect(await accept(otherDetails)).toEqual({ ...first, repeated: true })

    const corrects = first.id
    const phone = await accept({ phone: '9415550199' })
    expect(phone).toMatchObject({ repeated: false, duplicateOf: null, corrects })
    const street = await accept({ address: '2 Palm Avenue' })
    expect(street).toMatchObject({ repeated: false, duplicateOf: first.id, corrects })
    // Earlier enquiries are recognized in any order.
    expect(await accept({ phone: '9415550199' })).toEqual({ ...phone, repeated: true })
    expect(await accept({})).toEqual({ ...first, repeated: true })
    expect(await accept({ address: '2 Palm Avenue' })).toEqual({ ...street, repeated: true })

    expect(new Set([first.id, phone.id, street.id]).size).toBe(3)
    const [found, corrected, ...others] = await Promise.all(
      [first, phone, street].map(({ id }) => store.leadReader.find(id, now)),
    )
    const correctedBy = [phone.id, street.id]
    expect(found).toMatchObject({ status: 'pending', corrects: null, correctedBy })
    expect(corrected).toMatchObject({ status: 'pending', corrects, correctedBy: [] })
    expect(others).toMatchObject([{ status: 'duplicate', corrects, duplicateOf: first.id }])
  })

  test('two processes that store one key with four contents 64 times store four leads', async () => {
    const stores = [await place.open(), await place.open()]
    const key = randomUUID()
    const contents = ['9415550101', '9415550102', '9415550103', '9415550104'].map((phone) => ({
      email: 'ada@example.com',
      phone,
    }))
    const accepted = await Promise.all(
      Array.from({ length: 64 }, async (_, index) => {
        const arrival = exampleArrival(contents[index % 4], key)
        const lead = await stores[Math.floor(index / 4) % 2]?.intake.accept(arrival)
        return { ...lead, phone: arrival.lead.phone }
      }),
    )
    expect(accepted.filter(({ repeated }) => !repeated)).toHaveLength(4)
    const first = accepted.find(({ corrects }) => corrects === null)
    for (const { phone } of contents) {
      const same = accepted.filter((lead) => lead.phone === phone)
      expect(new Set(same.map(({ id }) => id)).size).toBe(1)
      expect(same[0]?.corrects).toBe(phone === first?.phone ? null : first?.id)
    }
    expect(await stores[0]?.leadReader.stats(now)).toMatchObject({
      leads: 4,
      byStatus: { pending: 4 },
    })
  })

  test('a duplicate within 24 hours is stored and linked, and has no delivery', async () => {
    const store = await place.open()
    const email = 'same@example.com'
    const first = exampleArrival({ email })
    const second = exampleArrival({ email, receivedAt: exampleTime + day - 1 })
    await store.intake.accept(first)
    expect(await store.intake.accept(second)).toEqual({
      id: second.lead.id,
      repeated: false,
      duplicateOf: first.lead.id,
      corrects: null,
    })
    expect(
      await store.intake.accept({ ...second, lead: { ...second.lead, id: randomUUID() } }),
    ).toMatchObject({
      repeated: true,
      duplicateOf: first.lead.id,
    })
    expect(await store.leadReader.find(second.lead.id, now)).toEqual({
      lead: second.lead,
      status: 'duplicate',
      duplicateOf: first.lead.id,
      corrects: null,
      correctedBy: [],
      signals: [],
      quarantinedAt: null,
      releasedAt: null,
      releasedDespite: null,
      returned: null,
      delivery: null,
      notifications: [],
    })
  })

  test('a duplicate does not extend the 24 hours', async () => {
    const store = await place.open()
    const email = 'same@example.com'
    const at = (receivedAt: number) =>
      store.intake.accept(exampleArrival({ email, receivedAt })).then((lead) => lead.duplicateOf)
    await at(exampleTime)
    expect(await at(exampleTime + day / 2)).not.toBeNull()
    expect(await at(exampleTime + day)).toBeNull()
    expect(await at(exampleTime + day + 1)).not.toBeNull()
  })

  test('an enquiry that two processes store ten times each has one delivery', async () => {
    const store = await place.open()
    const reports = await runStoreProcesses<StoreResult[]>(2, 'accept', place.settings())
    const accepted = reports.flat()
    const first = accepted.filter(({ duplicateOf }) => duplicateOf === null)
    expect(first).toHaveLength(1)
    expect(new Set(accepted.map(({ duplicateOf }) => duplicateOf ?? first[0]?.id)).size).toBe(1)
    expect(await store.leadReader.stats(now)).toMatchObject({
      leads: 20,
      byStatus: { pending: 1, duplicate: 19 },
    })
  })

  test('after 24 hours, ten equal enquiries are one new lead and nine duplicates', async () => {
    const store = await place.open()
    const email = 'same@example.com'
    await store.intake.accept(exampleArrival({ email }))
    const other = await place.open()
    const accepted = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? store : other).intake.accept(
          exampleArrival({ email, receivedAt: exampleTime + day + index }),
        ),
      ),
    )
    expect(accepted.filter(({ duplicateOf }) => duplicateOf === null)).toHaveLength(1)
    expect(await store.leadReader.stats(now)).toMatchObject({
      byStatus: { pending: 2, duplicate: 9 },
    })
  })

  test('a lead that cannot be stored does not affect the others in its transaction', async () => {
    const store = await place.open()
    await store.intake.accept(exampleArrival())
    const settled = await Promise.allSettled(
      [exampleArrival(), exampleArrival({ area: null as never }), exampleArrival()].map((arrival) =>
        store.intake.accept(arrival),
      ),
    )
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await store.leadReader.stats(now)).toMatchObject({ leads: 3 })
  })

  test('the intake accepts 2,000 concurrent enquiries, and refuses the next one for the moment', async () => {
    const store = await place.open()
    const pending = Array.from({ length: 2000 }, () => store.intake.accept(exampleArrival()))
    const next = exampleArrival()
    await expect(store.intake.accept(next)).rejects.toThrow(IntakeFullError)
    await Promise.all(pending)
    expect(await store.intake.accept(next)).toMatchObject({ repeated: false })
    expect(await store.leadReader.stats(now)).toMatchObject({ leads: 2001 })
  })

  test('closing waits for the leads that are being stored', async () => {
    const store = await place.open()
    const accepted = Promise.all(
      Array.from({ length: 5 }, () => store.intake.accept(exampleArrival())),
    )
    await store.close()
    expect(await accepted).toHaveLength(5)
    await expect(store.intake.accept(exampleArrival())).rejects.toThrow('closed')
    expect(await (await place.open()).leadReader.stats(now)).toMatchObject({ leads: 5 })
  })
})
