import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { makeAdaptiveThrottle } from '#server/platform/adaptive-throttle.ts'
import type { Store } from '#server/store/open-store.ts'
import { retryLead } from '#tests/store/act-on-leads.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { exampleArrival, exampleTime } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storeLeadOfEachStatus } from '#tests/store/lead-of-each-status.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { eraseExpiredLeads, makeExpiredLeadEraser } from './erase-expired-leads.ts'

const now = exampleTime
const minute = 60_000
/** Everything that `storeLeadOfEachStatus` stores is older than `leadsBefore`; no proof of consent expires. */
const limits = { leadsBefore: now, consentsBefore: 0 }

const atOnce = async (_: number): Promise<void> => {}

const retain = (store: Store, within = limits, pause = atOnce) =>
  eraseExpiredLeads(
    makeExpiredLeadEraser(store.database),
    { limits: within, now, throttle: makeAdaptiveThrottle() },
    { pause, isStopping: () => false },
  )

describe.each(storePlaces)('retention on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)
  const statusOf = async (store: Store, id: string) =>
    (await store.leadReader.find(id, now))?.status

  test('erases leads without an open delivery only', async () => {
    const store = await place.open()
    const ids = await storeLeadOfEachStatus(store)
    expect(await makeExpiredLeadEraser(store.database).count(limits)).toEqual({
      leads: { delivered: 1, rejected: 1, dead: 1, 'do-not-contact': 1, 'not owed': 2 },
      stillOwed: 2,
      consents: 0,
    })
    expect(await retain(store)).toEqual({ leads: 6, consents: 0 })
    for (const id of [ids.delivered, ids.rejected, ids.dead, ids.duplicate, ids.quarantined]) {
      expect(await statusOf(store, id)).toBe('erased')
    }
    expect(await statusOf(store, ids.pending)).toBe('pending')
    expect(await statusOf(store, ids.leased)).toBe('leased')
    expect(await retain(store)).toEqual({ leads: 0, consents: 0 })
    expect(await store.leadReader.stats(now)).toMatchObject({
      leads: 9,
      byStatus: {
        pending: 1,
        leased: 1,
        delivered: 0,
        rejected: 0,
        dead: 0,
        duplicate: 0,
        quarantined: 0,
        erased: 7,
      },
      rejectedByCap: 0,
      deliveredThenErased: 1,
      erasedBy: { request: 1, retention: 6 },
    })
  })

  test('keeps only the complete proof of consent', async () => {
    const store = await place.open()
    const ids = await storeLeadOfEachStatus(store)
    const accept = (phone: string) => {
      const arrival = exampleArrival({ phone, receivedAt: now - minute }, 'the-key')
      return store.intake.accept({ ...arrival, isQuarantined: true })
    }
    const [first, correction] = [await accept('9415550101'), await accept('9415550102')]
    await retain(store)
    expect(await store.leadReader.find(correction.id, now)).toMatchObject({
      status: 'erased',
      corrects: first.id,
    })
    expect(await store.leadReader.find(ids.dead, now)).toMatchObject({
      lead: {
        id: ids.dead,
        gpc: false,
        erasedAt: now,
        erasedBy: 'retention',
        consent: exampleArrival().lead.consent,
      },
      delivery: {
        settledAs: 'dead',
        attempts: [{ outcome: 'broken', reason: 'server-error', said: null }],
      },
    })
    const rows = await askStore(
      place.settings(),
      "select email, same_enquiry_hash, payload, length(idempotency_key) < 60 as key from leads where erased_by = 'retention'",
    )
    for (const { key, payload, ...row } of rows) {
      expect(row).toEqual({ email: '', same_enquiry_hash: '' })
      expect(Boolean(key)).toBe(true)
      expect(Object.keys(JSON.parse(String(payload))).toSorted()).toEqual(['gpc', 'program'])
    }
    const words = await askStore(
      place.settings(),
      `select count(*) as n from enquirers where lead_id in ('${ids.dead}', '${ids.delivered}')`,
    )
    expect(words).toEqual([{ n: 0 }])
  })

  test('keeps younger leads, to the millisecond', async () => {
    const store = await place.open()
    const ids = await storeLeadOfEachStatus(store)
    // The rejected lead was received seven minutes before `now`, and the dead lead six minutes before.
    const leadsBefore = now - 6 * minute
    expect(await retain(store, { ...limits, leadsBefore })).toEqual({ leads: 2, consents: 0 })
    expect(await statusOf(store, ids.rejected)).toBe('erased')
    expect(await statusOf(store, ids.dead)).toBe('dead')
  })

  test('a proof of consent is removed after its own period, and never before its lead’s answers', async () => {
    const store = await place.open()
    const ids = await storeLeadOfEachStatus(store)
    const expired = { leadsBefore: now, consentsBefore: now }
    expect(await makeExpiredLeadEraser(store.database).count(expired)).toMatchObject({
      consents: 7,
    })
    expect(await retain(store, expired)).toEqual({ leads: 6, consents: 7 })
    const { lead } = (await store.leadReader.find(ids.dead, now)) ?? {}
    expect(lead).toMatchObject({ erasedBy: 'retention', consent: null })
    expect(
      await askStore(place.settings(), 'select lead_id from consents order by lead_id'),
    ).toEqual([ids.pending, ids.leased].toSorted().map((lead_id) => ({ lead_id })))
    const exported = await store.leadReader.page({ now, filter: { status: ['erased'] }, take: 10 })
    expect(exported).toHaveLength(7)
  })

  test('two processes at once erase each lead once, in batches', async () => {
    const [one, other] = [await place.open(), await place.open()]
    const old = Array.from({ length: 350 }, (_, index) =>
      exampleArrival({
        receivedAt: now - 10 - (index % 3),
        email: `copy-${index % 50}@example.com`,
      }),
    )
    await Promise.all(old.map((arrival) => one.intake.accept(arrival)))
    const { byStatus } = await one.leadReader.stats(now)
    expect(byStatus).toMatchObject({ pending: 50, duplicate: 300 })
    // The two runs pause between batches, because SQLite does not queue waiting writers and a run that never pauses
    // could starve the other.
    const isSqlite = place.settings().databaseUrl === undefined
    const pause = () => setTimeout(isSqlite ? 10 : 0)
    const done = await Promise.all([retain(one, limits, pause), retain(other, limits, pause)])
    expect(done.reduce((sum, { leads }) => sum + leads, 0)).toBe(300)
    expect(await one.leadReader.stats(now)).toMatchObject({
      byStatus: { pending: 50, duplicate: 0, erased: 300 },
    })
  })

  test('an erased lead is never made due again', async () => {
    const store = await place.open()
    const ids = await storeLeadOfEachStatus(store)
    await retain(store)
    expect(await retryLead(store, ids.dead, now)).toEqual({ kind: 'erased' })
    expect(await retryLead(store, ids.rejected, now)).toEqual({ kind: 'erased' })
  })
})
