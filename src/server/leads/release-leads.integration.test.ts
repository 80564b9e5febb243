import { describe, expect, test } from 'vitest'
import type { Lead } from '#domain/lead/lead.ts'
import type { LeadArrival } from '#server/enquiries/lead-arrival.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'
import type { Store } from '#server/store/open-store.ts'
import { releaseLead, undoRelease } from '#tests/store/act-on-leads.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { exampleArrival, exampleTime } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storeLeadOfEachStatus } from '#tests/store/lead-of-each-status.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { makeExpiredLeadEraser } from './erase-expired-leads.ts'

const minute = 60_000
const day = 24 * 60 * minute
const now = exampleTime
const email = 'ada@example.com'

const suspicious = (lead: Partial<Lead> = {}, key?: string): LeadArrival => ({
  ...exampleArrival({ email, ...lead }, key),
  signals: ['honeypot-filled', 'disposable-mail'],
  isQuarantined: true,
})

const claimed = async (store: Store) =>
  (await store.queue.claimDue({ now: now + day, leaseUntil: now + 2 * day, limit: 10 })).map(
    ({ lead }) => lead.id,
  )

describe.each(storePlaces)('quarantine on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('keeps the whole lead, and no worker claims it', async () => {
    const store = await place.open()
    const arrival = suspicious()
    expect(await store.intake.accept(arrival)).toEqual({
      id: arrival.lead.id,
      repeated: false,
      duplicateOf: null,
      corrects: null,
    })
    expect(await store.leadReader.find(arrival.lead.id, now)).toEqual({
      lead: arrival.lead,
      status: 'quarantined',
      duplicateOf: null,
      corrects: null,
      correctedBy: [],
      signals: ['honeypot-filled', 'disposable-mail'],
      quarantinedAt: now,
      releasedAt: null,
      releasedDespite: null,
      returned: null,
      delivery: null,
      notifications: [],
    })
    expect(await claimed(store)).toEqual([])
    expect(await store.leadReader.stats(now)).toMatchObject({
      leads: 1,
      byStatus: { quarantined: 1, duplicate: 0, pending: 0 },
    })
  })

  test('a repeated idempotency key leaves the lead in quarantine', async () => {
    const store = await place.open()
    const arrival = suspicious({}, 'the-key')
    await store.intake.accept(arrival)
    const { signals: _, ...again } = suspicious({}, 'the-key')
    expect(
      await store.intake.accept({ ...again, signals: [], isQuarantined: false }),
    ).toMatchObject({ id: arrival.lead.id, repeated: true })
    expect(await store.leadReader.find(arrival.lead.id, now)).toMatchObject({
      status: 'quarantined',
    })
  })

  test('a lead with one weak signal is sent, and keeps the signal', async () => {
    const store = await place.open()
    const arrival = { ...exampleArrival(), signals: ['disposable-mail'] as const }
    await Promise.all([store.intake.accept(arrival), store.intake.accept(exampleArrival())])
    expect(await store.leadReader.find(arrival.lead.id, now)).toMatchObject({
      status: 'pending',
      signals: ['disposable-mail'],
      quarantinedAt: null,
    })
    expect(await claimed(store)).toContain(arrival.lead.id)
  })

  test('a quarantined lead never blocks the person’s own enquiry', async () => {
    const store = await place.open()
    const [forged, own] = [suspicious(), exampleArrival({ email, receivedAt: now + minute })]
    await store.intake.accept(forged)
    expect(await store.intake.accept(own)).toMatchObject({ duplicateOf: null })
    expect(await claimed(store)).toEqual([own.lead.id])
    expect(await releaseLead(store, forged.lead.id, now)).toEqual({
      kind: 'duplicate',
      of: own.lead.id,
    })
    expect(await store.leadReader.find(forged.lead.id, now)).toMatchObject({
      status: 'duplicate',
      duplicateOf: own.lead.id,
      delivery: null,
    })
  })

  test('a quarantined lead in the same batch blocks no enquiry', async () => {
    const store = await place.open()
    const arrivals = [suspicious(), exampleArrival(), suspicious({ email: 'b@example.com' })]
    await Promise.all(arrivals.map((arrival) => store.intake.accept(arrival)))
    expect(await claimed(store)).toEqual([arrivals[1]?.lead.id])
  })

  test('a released lead is sent once, and later enquiries repeat it', async () => {
    const store = await place.open()
    const { lead } = suspicious()
    await store.intake.accept({ ...suspicious(), lead })
    expect(await releaseLead(store, lead.id, now + minute)).toEqual({ kind: 'due' })
    expect(await store.leadReader.find(lead.id, now)).toMatchObject({
      status: 'pending',
      quarantinedAt: now,
      releasedAt: now + minute,
    })
    expect(
      await store.intake.accept(exampleArrival({ email, receivedAt: now + 2 * minute })),
    ).toMatchObject({ duplicateOf: lead.id })
    expect(await claimed(store)).toEqual([lead.id])
    expect(await releaseLead(store, lead.id, now)).toEqual({ kind: 'not quarantined' })
  })

  test('a release can be undone until a worker claims the lead', async () => {
    const store = await place.open()
    const { lead } = suspicious()
    const own = exampleArrival({ email, receivedAt: now + minute })
    await store.intake.accept({ ...suspicious(), lead })
    expect(await undoRelease(store, lead.id)).toBe(false)
    await releaseLead(store, lead.id, now, { dueAt: now + minute })
    expect(await store.intake.accept(own)).toMatchObject({ duplicateOf: lead.id })
    const claim = { now, leaseUntil: now + minute, limit: 10 }
    expect(await store.queue.claimDue(claim)).toEqual([])
    expect(await undoRelease(store, lead.id)).toBe(true)
    expect(await store.leadReader.find(lead.id, now)).toMatchObject({
      status: 'quarantined',
      releasedAt: null,
      returned: null,
      delivery: null,
    })
    expect(await claimed(store), 'the own enquiry goes out instead').toEqual([own.lead.id])

    expect(await releaseLead(store, lead.id, now)).toEqual({
      kind: 'duplicate',
      of: own.lead.id,
    })
    expect(await undoRelease(store, lead.id)).toBe(true)
    expect(await undoRelease(store, own.lead.id), 'never in quarantine').toBe(false)
  })

  test('a release cannot be undone once the lead is claimed or erased', async () => {
    const store = await place.open()
    const [sent, gone] = [suspicious(), suspicious({ email: 'b@example.com' })]
    for (const { lead } of [sent, gone]) {
      await store.intake.accept({ ...suspicious(), lead })
      await releaseLead(store, lead.id, now)
    }
    await store.erasure.erase({ leadId: gone.lead.id }, now)
    expect(await claimed(store)).toEqual([sent.lead.id])
    for (const { lead } of [sent, gone]) {
      expect(await undoRelease(store, lead.id)).toBe(false)
    }
    expect(await store.leadReader.find(gone.lead.id, now)).toMatchObject({ status: 'erased' })
  })

  test('two simultaneous releases create one delivery', async () => {
    const stores = [await place.open(), await place.open()]
    const arrival = suspicious()
    await stores[0]?.intake.accept(arrival)
    const outcomes = await Promise.all(
      stores.map((store) => releaseLead(store, arrival.lead.id, now)),
    )
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['due', 'not quarantined'])
  })

  test('of a person’s released leads, the first released one counts', async () => {
    const store = await place.open()
    const received = [2, 1, 3].map((minutes) => suspicious({ receivedAt: now + minutes * minute }))
    const other = suspicious({ email: 'b@example.com' })
    for (const arrival of [...received, other]) await store.intake.accept(arrival)
    const waiting = await askStore(place.settings(), 'select id from leads order by received_at')
    for (const { id } of waiting) await releaseLead(store, String(id), now)
    expect(await claimed(store)).toEqual([other.lead.id, received[1]?.lead.id])
    expect(await store.leadReader.stats(now)).toMatchObject({ byStatus: { quarantined: 0 } })
  })

  test('an erased lead cannot be released', async () => {
    const store = await place.open()
    const arrival = suspicious()
    await store.intake.accept(arrival)
    await store.erasure.erase(toEmailAddress(email), now)
    expect(await releaseLead(store, arrival.lead.id, now)).toEqual({ kind: 'erased' })
    expect(await store.leadReader.find(arrival.lead.id, now)).toMatchObject({ status: 'erased' })
    expect(await store.leadReader.stats(now)).toMatchObject({
      byStatus: { quarantined: 0, erased: 1, duplicate: 0 },
    })
  })

  test('released, erased and expired at once: no erased lead has an open delivery', async () => {
    const [one, two, three] = [await place.open(), await place.open(), await place.open()]
    for (let round = 0; round < 20; round++) {
      const address = `${round}@example.com`
      const arrival = suspicious({ email: address })
      await one.intake.accept(arrival)
      await Promise.all([
        releaseLead(one, arrival.lead.id, now),
        two.erasure.erase(toEmailAddress(address), now),
        makeExpiredLeadEraser(three.database).erase({
          ids: [arrival.lead.id],
          limits: { leadsBefore: now + 1, consentsBefore: 0 },
          now,
        }),
      ])
    }
    const owed = await askStore(
      place.settings(),
      `select leads.id from leads join deliveries on lead_id = leads.id
      where erased_at is not null and settled_as is null`,
    )
    expect(owed).toEqual([])
  })

  test('a lead outside the quarantine cannot be released', async () => {
    const store = await place.open()
    const ids = await storeLeadOfEachStatus(store)
    expect(await releaseLead(store, ids.dead, now)).toEqual({ kind: 'not quarantined' })
    expect(await releaseLead(store, 'nobody', now)).toEqual({ kind: 'unknown' })
  })
})

describe.each(storePlaces)('a shared secret on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('is the same for simultaneous readers and after a restart', async () => {
    const stores = [await place.open(), await place.open(), await place.open()]
    const asked = stores.map((store) => store.readSharedSecret('a'))
    const secrets = new Set(await Promise.all(asked))
    expect(secrets.size).toBe(1)
    const later = await place.open()
    expect(secrets).toContain(await later.readSharedSecret('a'))
    expect(secrets).not.toContain(await later.readSharedSecret('b'))
  })
})
