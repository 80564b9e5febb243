import { hash, randomUUID, randomUUIDv7 } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { emptyCap } from '#domain/delivery/cap.ts'
import type { Lead } from '#domain/lead/lead.ts'
import {
  type Contact,
  findListedAt,
  hashContact,
  makeListKey,
  readListSecret,
} from '#server/leads/do-not-contact.ts'
import { makeNotificationQueues } from '#server/notifications/notification-queue.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'
import type { Store } from '#server/store/open-store.ts'
import { releaseLead, retryLead, settleLead } from '#tests/store/act-on-leads.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { makeCapActions } from './manage-caps.ts'
import { makeDoNotContactActions } from './manage-do-not-contact.ts'

const actor = { kind: 'command line', user: 'ada' } as const
const minute = 60_000
const now = Date.UTC(2026, 10, 25, 12)

/** @param at when the operator acts, in minutes after the arrival of the leads */
const listOf = ({ operators, database, audit }: Store, at = 1) =>
  makeDoNotContactActions({
    ...database,
    ...operators,
    audit,
    clock: () => now + at * minute,
  })

let phones = 9415550100

/** Stores the lead of a new person, unless the given values name a known one. */
async function accept(store: Store, lead: Partial<Lead> = {}) {
  const phone = String(phones++)
  const arrival = exampleArrival({ receivedAt: now, phone, ...lead })
  const { id, found } = await store.intake.accept(arrival)
  return { ...arrival.lead, id, found }
}

const personOf = ({ email, phone }: Lead): Contact => ({ email, phone })

/** Lists people by their hashes, in a file. */
const listByHash = (store: Store, people: readonly Contact[], at = 1) =>
  listOf(store, at).import(actor, people.flatMap(hashContact).join('\n'))

const claim = async (store: Store, at = 2, limit = 99) =>
  store.queue.claimDue({ now: now + at * minute, leaseUntil: now + (at + 1) * minute, limit })

const idsOf = (claimed: Awaited<ReturnType<typeof claim>>) => claimed.map(({ lead }) => lead.id)

const statusOf = async (store: Store, id: string) =>
  (await store.leadReader.find(id, now + 3 * minute))?.status

describe.each(storePlaces)('people not to contact on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('a waiting lead is settled at once, and an enquiry in another spelling is quarantined', async () => {
    const store = await place.open()
    const ada = await accept(store, { email: 'Ada@Example.com' })
    const bea = await accept(store)
    expect(await listOf(store).preview(actor, [personOf(ada)])).toEqual({
      ...{ leads: 1, waiting: 1, sending: 0, quarantined: 0, sent: 0 },
      ...{ values: 2, listed: 0, others: [], isPartial: false },
    })
    expect(await statusOf(store, ada.id)).toBe('pending')
    expect(await listOf(store).stop(actor, [personOf(ada)])).toEqual({
      ...{ added: 2, known: 0, stopped: 1, sending: 0, sent: 0 },
    })
    expect(await statusOf(store, ada.id)).toBe('do-not-contact')
    const byEmail = await accept(store, { email: 'ADA@example.COM' })
    const byPhone = await accept(store, { phone: ada.phone })
    for (const { id, found } of [byEmail, byPhone]) {
      expect(found).toEqual(['do-not-contact'])
      expect(await statusOf(store, id)).toBe('quarantined')
    }
    expect(idsOf(await claim(store))).toEqual([bea.id])
  })

  test('a lead that waits for a retry, is held, due or claimed as a probe is not sent, nor after a retry', async () => {
    const store = await place.open()
    const failed = await accept(store)
    const [claimed] = await claim(store, 0)
    await store.queue.record({
      ...{ id: randomUUIDv7(), deliveryId: claimed?.id ?? '', lease: claimed?.lease ?? '' },
      ...{
        startedAt: now,
        durationMs: 1,
        outcome: { name: 'unreachable', reason: 'no-connection' },
      },
      next: { retryAt: now + 99 * minute, setBy: 'schedule' },
    })
    const held = await accept(store)
    const caps = makeCapActions({
      ...store.operators,
      audit: store.audit,
      clock: () => now,
      zone: 'UTC',
    })
    await caps.save(actor, { ...emptyCap, maxLeads: 0, blockedStates: ['FL'], state: 'FL' })
    expect(await claim(store, 0)).toEqual([])
    const due = await accept(store)
    const people = [failed, held, due].map(personOf)
    await listOf(store).stop(actor, people.slice(0, 2))
    // Only the claim can notice an entry that another process has just made.
    const secret = await readListSecret(store.database.db)
    const [key = ''] = hashContact(personOf(due)).map((one) => makeListKey(secret, one))
    await store.database.db.insertInto('do_not_contact').values({ key, listed_at: now }).execute()
    expect(idsOf(await claim(store, 200))).toEqual([])
    for (const { id } of [failed, held, due])
      expect(await statusOf(store, id)).toBe('do-not-contact')
    await store.breaker.trip({ cause: 'outage', reason: 'timeout', since: now, at: now })
    for (const { id } of [failed, held, due]) {
      expect(await retryLead(store, id, now + 3 * minute)).toEqual({
        kind: 'asked not to be contacted',
      })
      expect(
        await store.queue.claimProbe({ now: now + 900 * minute, leaseUntil: now + 901 * minute }),
      ).toBeUndefined()
      expect(await statusOf(store, id)).toBe('do-not-contact')
    }
    expect((await listOf(store).overview(actor)).sent).toEqual([])
  })

  test('a stop waits for a lead that is being sent, and lists it as sent', async () => {
    const store = await place.open()
    const ada = await accept(store)
    const clock = Date.now()
    const [claimed] = await store.queue.claimDue({
      now: clock,
      leaseUntil: clock + minute,
      limit: 1,
    })
    const list = makeDoNotContactActions({
      ...store.database,
      ...store.operators,
      audit: store.audit,
      clock: Date.now,
    })
    expect(await list.preview(actor, [personOf(ada)])).toMatchObject({ sending: 1, waiting: 0 })
    let isStopped = false
    const stopped = list.stop(actor, [personOf(ada)]).then((result) => {
      isStopped = true
      return result
    })
    await setTimeout(300)
    expect(isStopped).toBe(false)
    await store.queue.record({
      ...{ id: randomUUIDv7(), deliveryId: claimed?.id ?? '', lease: claimed?.lease ?? '' },
      ...{
        startedAt: clock,
        durationMs: 1,
        outcome: { name: 'broken', httpStatus: 500, reason: 'server-error' },
      },
      next: { retryAt: clock + minute, setBy: 'schedule' },
    })
    expect(await stopped).toMatchObject({ stopped: 1, sending: 0, sent: 1 })
    expect(await statusOf(store, ada.id)).toBe('do-not-contact')
    expect((await list.overview(actor)).sent).toMatchObject([{ id: ada.id, sentAt: clock }])
  })

  test('after a worker died, a stop waits for the end of its lease, and the lead counts as sent', async () => {
    const store = await place.open()
    const ada = await accept(store)
    const clock = Date.now()
    await store.queue.claimDue({ now: clock, leaseUntil: clock + 400, limit: 1 })
    const list = makeDoNotContactActions({
      ...store.database,
      ...store.operators,
      audit: store.audit,
      clock: Date.now,
    })
    expect(await list.stop(actor, [personOf(ada)])).toMatchObject({ stopped: 1, sent: 1 })
    expect(Date.now()).toBeGreaterThanOrEqual(clock + 400)
    expect((await store.leadReader.find(ada.id, clock))?.delivery?.attempts).toMatchObject([
      { outcome: 'unknown', reason: 'process-ended' },
    ])
  })

  test('a released lead of a listed person is sent, unless the person is listed again', async () => {
    const store = await place.open()
    const ada = { email: 'ada@example.com', phone: String(phones++) }
    await listOf(store, -5).stop(actor, [ada])
    const [sent, stopped] = [
      await accept(store, ada),
      await accept(store, { ...ada, firstName: 'Al' }),
    ]
    const despite = await findListedAt(store.database.db, sent.id)
    for (const { id } of [sent, stopped])
      await releaseLead(store, id, now + minute, { dueAt: now + 2 * minute, despite })
    expect(await listByHash(store, [ada])).toMatchObject({ added: 0, known: 2, stopped: 0 })
    expect(idsOf(await claim(store, 2, 1))).toHaveLength(1)
    await listOf(store, 4).stop(actor, [ada])
    expect(idsOf(await claim(store, 5))).toEqual([])
    const statuses = [await statusOf(store, sent.id), await statusOf(store, stopped.id)]
    expect(statuses).toEqual(['do-not-contact', 'do-not-contact'])
  })

  test('addresses and their SHA-256 hashes make the same entries, and the store has no plain hash', async () => {
    const store = await place.open()
    const ada = await accept(store, { email: 'ada@bücher.example' })
    const bea = await accept(store)
    const sha256 = (text: string) => hash('sha256', text)
    const lines = [
      'Name;E-mail address;Phone (SHA-256)',
      `Ada;Ada@xn--bcher-kva.EXAMPLE;${sha256(ada.phone).toUpperCase()}`,
      `Bea;${sha256(bea.email)};`,
    ]
    expect(await listOf(store).import(actor, lines.join('\r\n'))).toEqual({
      ...{ kind: 'imported', added: 3, known: 0, stopped: 2, sending: 0, sent: 0 },
    })
    const typed = [{ email: bea.email }, { phone: ada.phone }, { email: 'ADA@bücher.example' }]
    const at = now + minute
    expect(await listOf(store).check(actor, { phone: bea.phone })).toEqual({ phone: null })
    expect(await listOf(store).check(actor, personOf(ada))).toEqual({ email: at, phone: at })
    expect(await listOf(store, 2).stop(actor, typed), 'Bea’s phone').toMatchObject({
      added: 1,
      known: 3,
    })
    expect(await listOf(store).check(actor, { phone: bea.phone })).toEqual({ phone: at + minute })
    const rows = JSON.stringify(
      await store.database.db.selectFrom('do_not_contact').selectAll().execute(),
    )
    for (const text of [ada.email, ada.phone, sha256(ada.phone), sha256(bea.email)]) {
      expect(rows).not.toContain(text)
    }
  })

  test('one wrong line refuses a file, and each wrong value is named', async () => {
    const store = await place.open()
    const file =
      'email,phone\nada@example.com,\nbea@,941555010\n,\ndfe@example.com,+1 (941) 555-0102'
    const md5 = 'd41d8cd98f00b204e9800998ecf8427e'
    expect(await listOf(store).import(actor, `${file}\n${md5},`)).toEqual({
      kind: 'refused',
      faults: [
        { line: 3, message: '“bea@” is no email address, 10-digit phone number or SHA-256 hash' },
        {
          line: 3,
          message: '“941555010” is no email address, 10-digit phone number or SHA-256 hash',
        },
        { line: 6, message: `“${md5}” is an MD5 or SHA-1 hash: ask for SHA-256 hashes` },
      ],
    })
    expect(await listOf(store).import(actor, '')).toMatchObject({ kind: 'refused' })
    expect((await listOf(store).overview(actor)).entries).toBe(0)
    expect(await store.audit.list({ take: 9 })).toEqual([])
  })

  test('the list survives an erasure, and names what had been sent', async () => {
    const store = await place.open()
    const ada = await accept(store)
    await settleLead(store, ada.id, 'delivered', now)
    expect(await listOf(store).stop(actor, [personOf(ada)])).toMatchObject({ sent: 1 })
    await store.erasure.erase(toEmailAddress(ada.email), now)
    expect((await accept(store, personOf(ada))).found).toEqual(['do-not-contact'])
    expect((await listOf(store).overview(actor)).sent).toMatchObject([{ id: ada.id }])
  })

  test('after a person is taken off the list, a new enquiry is sent and is no duplicate', async () => {
    const store = await place.open()
    const ada = await accept(store)
    await listOf(store).stop(actor, [personOf(ada)])
    expect(await listOf(store).remove(actor, [{ email: ada.email }], 'changed')).toEqual({
      ...{ removed: 1, left: 1 },
    })
    expect(await listOf(store).remove(actor, [personOf(ada)], 'her mind')).toEqual({
      ...{ removed: 1, left: 0 },
    })
    expect(await listOf(store).remove(actor, [personOf(ada)])).toMatchObject({ removed: 0 })
    const again = await accept(store, personOf(ada))
    expect(again.found).toBeUndefined()
    expect(idsOf(await claim(store))).toEqual([again.id])
    const entries = await store.audit.list({ take: 9 })
    expect(entries.map(({ action, reason, outcome }) => [action, reason, outcome])).toEqual([
      ['allowed contact again', 'her mind', '1 entry removed'],
      ['allowed contact again', 'changed', '1 entry removed'],
      ['stopped contact', null, '2 listed; 1 waiting lead not sent; 0 leads sent before'],
    ])
  })

  test('a stop by an email address also lists the other contacts of the person’s leads', async () => {
    const store = await place.open()
    const ada = await accept(store)
    expect(await listOf(store).preview(actor, [{ email: ada.email }])).toMatchObject({
      ...{ values: 2, leads: 1, waiting: 1 },
    })
    expect(await listOf(store).stop(actor, [{ email: ada.email }])).toMatchObject({ added: 2 })
    expect((await accept(store, { phone: ada.phone })).found).toEqual(['do-not-contact'])
  })

  test('a stop lists the same contacts from every starting point, but nothing beyond an excepted one', async () => {
    const store = await place.open()
    const first = await accept(store)
    const second = await accept(store, { phone: first.phone })
    const third = await accept(store, { email: second.email })
    const list = listOf(store)
    for (const start of [{ email: first.email }, { phone: third.phone }])
      expect(await list.preview(actor, [start])).toMatchObject({ values: 4, leads: 3 })
    const { others } = await list.preview(actor, [{ email: first.email }])
    const except = others.flatMap(({ key, phone }) => (phone === first.phone ? [key] : []))
    const stop = list.stop(actor, [{ email: first.email }], {}, { except })
    expect(await stop).toMatchObject({ added: 1, stopped: 1 })
    expect(await statusOf(store, second.id)).toBe('pending')
    expect(await list.stop(actor, [{ email: first.email }])).toMatchObject({ added: 3, stopped: 2 })
    expect(await list.check(actor, { phone: third.phone })).toEqual({ phone: now + minute })
  })

  test('a stop lists the contacts of corrections both ways, and of a later correction', async () => {
    const store = await place.open()
    const key = randomUUID()
    const correct = async () => {
      const phone = String(phones++)
      const arrival = exampleArrival({ receivedAt: now, phone }, key)
      return { ...arrival.lead, ...(await store.intake.accept(arrival)) }
    }
    const [first, second, third] = [await correct(), await correct(), await correct()]
    expect(await listOf(store).stop(actor, [{ email: second.email }])).toMatchObject({ added: 6 })
    const fourth = await correct()
    expect(fourth).toMatchObject({ corrects: first.id, found: ['do-not-contact'] })
    for (const { email, phone } of [first, third, fourth]) {
      expect((await accept(store, { email })).found).toEqual(['do-not-contact'])
      expect((await accept(store, { phone })).found).toEqual(['do-not-contact'])
    }
  })

  test('a second import of a file doesn’t count a lead that was released and sent since', async () => {
    const store = await place.open()
    const ada = { email: 'ada@example.com', phone: String(phones++) }
    await listByHash(store, [ada])
    const { id } = await accept(store, ada)
    const despite = await findListedAt(store.database.db, id)
    await releaseLead(store, id, now + minute, { despite })
    await settleLead(store, id, 'delivered', now + 2 * minute)
    expect(await listByHash(store, [ada], 3)).toMatchObject({ added: 0, known: 2, sent: 0 })
    expect((await listOf(store).overview(actor)).sent).toEqual([])
    expect(await listOf(store).preview(actor, [ada])).toMatchObject({ sent: 1 })
    expect(await listOf(store, 4).stop(actor, [ada])).toMatchObject({ sent: 1 })
    await store.database.db.updateTable('sent_before_stop').set({ told_at: now }).execute()
    expect(await listOf(store).preview(actor, [ada]), 'all are told').toMatchObject({ sent: 0 })
    expect(await listOf(store, 5).stop(actor, [ada])).toMatchObject({ sent: 0 })
  })

  test('a correction of a listed person’s lead is quarantined, and an earlier one is not sent', async () => {
    const store = await place.open()
    const key = randomUUID()
    const enquire = async (lead: Partial<Lead>) => {
      const arrival = exampleArrival({ receivedAt: now, ...lead }, key)
      return { ...arrival.lead, ...(await store.intake.accept(arrival)) }
    }
    const first = await enquire({ email: 'ada@example.com', phone: String(phones++) })
    const earlier = await enquire({ email: 'adda@example.com', phone: String(phones++) })
    expect(earlier.corrects).toBe(first.id)
    await listByHash(store, [{ phone: first.phone }])
    const later = await enquire({ email: 'add@example.com', phone: String(phones++) })
    expect(later).toMatchObject({ corrects: first.id, found: ['do-not-contact'] })
    expect(await statusOf(store, later.id)).toBe('quarantined')
    expect(idsOf(await claim(store))).toEqual([])
    expect(await statusOf(store, earlier.id)).toBe('do-not-contact')
    await listOf(store).stop(actor, [{ phone: first.phone }])
    expect(await listOf(store).check(actor, { email: earlier.email })).toEqual({
      email: now + minute,
    })
  })

  test('a release without knowledge of the list sends nothing, in whichever millisecond', async () => {
    const store = await place.open()
    const arrival = exampleArrival({ receivedAt: now, phone: String(phones++) })
    await store.intake.accept({ ...arrival, signals: ['too-fast'], isQuarantined: true })
    const ada = arrival.lead
    expect(await statusOf(store, ada.id)).toBe('quarantined')
    await releaseLead(store, ada.id, now + 2 * minute)
    expect(await listOf(store).stop(actor, [personOf(ada)])).toMatchObject({ stopped: 1 })
    expect(idsOf(await claim(store, 3))).toEqual([])
    // A listing in the same millisecond as the one that a release overrode is another one.
    const again = await accept(store, personOf(ada))
    const despite = await findListedAt(store.database.db, again.id)
    await releaseLead(store, again.id, now, { despite })
    await listOf(store).stop(actor, [personOf(ada)])
    expect(idsOf(await claim(store, 3))).toEqual([])
  })

  test('a stop waits for a webhook that receives the answers, and lists it as a receiver', async () => {
    const store = await place.open()
    const destination = randomUUIDv7()
    await store.database.db
      .insertInto('webhooks')
      .values({
        ...{ id: destination, url: 'https://crm.example/leads', secret: 'whsec_', created_at: now },
        ...{ events: '["received"]', sends_personal_data: 1 },
      })
      .execute()
    const ada = await accept(store)
    const queue = makeNotificationQueues(store.database)({ kind: 'webhook', id: destination })
    const clock = Date.now()
    const [call] = await queue.claimDue({ now: clock, leaseUntil: clock + minute, limit: 1 })
    expect(call?.notification?.isStopped).toBe(false)
    const list = makeDoNotContactActions({
      ...{ ...store.database, ...store.operators, audit: store.audit, clock: Date.now },
    })
    let isStopped = false
    const stopped = list.stop(actor, [personOf(ada)]).then((result) => {
      isStopped = true
      return result
    })
    await setTimeout(300)
    expect(isStopped).toBe(false)
    await queue.record({
      ...{ id: randomUUIDv7(), deliveryId: call?.id ?? '', lease: call?.lease ?? '' },
      ...{ startedAt: clock, durationMs: 1, outcome: { name: 'delivered', httpStatus: 200 } },
      next: { settledAs: 'delivered', at: clock },
    })
    expect(await stopped).toMatchObject({ stopped: 1, sending: 0, sent: 1 })
    expect((await list.overview(actor)).sent).toMatchObject([
      { id: ada.id, receivers: ['crm.example'] },
    ])
    await store.database.db
      .updateTable('notifications')
      .set({ event_reason: 'quarantined' })
      .execute()
    expect((await list.overview(actor)).sent, 'such a call has no answers').toMatchObject([
      { id: ada.id, receivers: [] },
    ])
  })
})
