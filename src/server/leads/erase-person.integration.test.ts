import { randomUUIDv7 } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import type { Lead } from '#domain/lead/lead.ts'
import { toPlainLine } from '#domain/text/plain-line.ts'
import type { LeadArrival } from '#server/enquiries/lead-arrival.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'
import type { Store } from '#server/store/open-store.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { exampleArrival, exampleTime } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storeLeadOfEachStatus } from '#tests/store/lead-of-each-status.ts'
import { sqlitePlace, storePlaces, usePlace } from '#tests/store/store-places.ts'
import { makeExpiredLeadEraser } from './erase-expired-leads.ts'
import { toLeadSummary } from './read-leads.ts'

const now = exampleTime
const minute = 60_000
const claim = (store: Store, at = now) =>
  store.queue.claimDue({ now: at, leaseUntil: at + minute, limit: 10 })
const erase = (store: Store, email: string) => store.erasure.erase(toEmailAddress(email), now)

describe.each(storePlaces)('erasing a person on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('finds the address in any case and with spaces, and no other address', async () => {
    const store = await place.open()
    const emails = ['Ada@Example.com', 'ada@example.com', 'ada@example.com.au', 'xada@example.com']
    for (const email of emails) await store.intake.accept(exampleArrival({ email }))
    expect((await store.erasure.find(toEmailAddress(' ADA@example.COM '))).ids).toHaveLength(2)
    expect(await erase(store, ' ADA@example.COM ')).toMatchObject({ leads: 2 })
    expect((await store.erasure.find(toEmailAddress('ada@example.com'))).ids).toHaveLength(0)
    expect((await store.erasure.find(toEmailAddress('ada@example.com.au'))).ids).toHaveLength(1)
  })

  test.each([
    ['Ärzt.Ünal@Example.com', 'ärzt.ünal@example.com'],
    ['ärzt.ünal@example.com', 'ÄRZT.ÜNAL@EXAMPLE.COM'],
    ['A\u0308rzt@example.com', 'Ärzt@example.com'],
    ['ΖΩΗ@example.com', 'ζωη@example.com'],
  ])('finds %s when it is written %s', async (stored, asked) => {
    const store = await place.open()
    await store.intake.accept(exampleArrival({ email: stored }))
    await store.intake.accept(exampleArrival({ email: 'ö.other@example.com' }))
    expect((await store.erasure.find(toEmailAddress(asked))).ids).toHaveLength(1)
    expect(await erase(store, asked)).toMatchObject({ leads: 1 })
    expect((await store.erasure.find(toEmailAddress('Ö.Other@example.com'))).ids).toHaveLength(1)
  })

  test('keeps the consent’s text, time and page, without the path of the visitor’s link', async () => {
    const store = await place.open()
    const { consent, ...lead } = exampleArrival({ email: 'ada@example.com' }).lead
    const pageUrl = 'https://school.example/dear-ada-lovelace'
    await store.intake.accept(exampleArrival({ ...lead, consent: { ...consent, pageUrl } }))
    await erase(store, 'ada@example.com')
    expect(await askStore(place.settings(), 'select * from consents')).toEqual([
      {
        lead_id: lead.id,
        disclosure_hash: consent.textHash,
        agreed_at: consent.at,
        ip: '',
        user_agent: '',
        page_url: 'https://school.example/healthcare',
      },
    ])
  })

  test('erases one lead by its id once, even after retention', async () => {
    const store = await place.open()
    const [first, second] = [exampleArrival(), exampleArrival()]
    for (const arrival of [first, second]) await store.intake.accept(arrival)
    const [claimed] = await claim(store)
    const person = { leadId: claimed?.lead.id ?? '' }
    await store.queue.record({
      id: randomUUIDv7(),
      deliveryId: claimed?.id ?? '',
      lease: claimed?.lease ?? '',
      startedAt: now,
      durationMs: 5,
      outcome: { name: 'delivered', httpStatus: 200 },
      next: { settledAs: 'delivered', at: now + 5 },
    })
    const retention = makeExpiredLeadEraser(store.database)
    const limits = { leadsBefore: now + 1, consentsBefore: 0 }
    const { ids } = await retention.find(limits)
    expect(await retention.erase({ ids, limits, now })).toMatchObject({ leads: 1 })
    expect(await store.leadReader.find(person.leadId, now)).toMatchObject({
      lead: { erasedBy: 'retention', consent: { ip: '203.0.113.7' } },
    })
    expect(await store.erasure.erase(person, now)).toMatchObject({ leads: 1, delivered: 1 })
    expect(await store.leadReader.find(person.leadId, now)).toMatchObject({
      lead: { erasedBy: 'request', consent: { ip: '', userAgent: '' } },
    })
    expect(await store.erasure.erase(person, now)).toMatchObject({ leads: 0 })
    expect(await store.leadReader.stats(now)).toMatchObject({
      byStatus: { erased: 1, leased: 1 },
      erasedBy: { request: 1, retention: 0 },
    })
  })

  test('keeps the business facts, and none of the person’s answers', async () => {
    const store = await place.open()
    const ids = await storeLeadOfEachStatus(store)
    await erase(store, 'dead@example.com')
    const details = await store.leadReader.find(ids.dead, now)
    const { program, consent } = exampleArrival().lead
    expect(details?.lead).toEqual({
      id: ids.dead,
      receivedAt: now - 6 * minute,
      area: 'healthcare',
      program,
      gpc: false,
      erasedAt: now,
      erasedBy: 'request',
      consent: { ...consent, ip: '', userAgent: '' },
    })
    expect(details).toMatchObject({
      status: 'erased',
      delivery: {
        settledAs: 'dead',
        settledAt: now + 5,
        attempts: [{ number: 1, outcome: 'broken', httpStatus: 500, said: null }],
      },
    })
    const filter = { status: ['erased'] } as const
    const listed = await store.leadReader.page({ now, filter, take: 1 })
    expect(listed.map(toLeadSummary)[0]).toMatchObject({
      name: '',
      email: '',
      programName: 'B.S. Nursing (RN to BSN)',
    })
  })

  test('an open delivery is never sent, and counts as neither dead nor delivered', async () => {
    const store = await place.open()
    await store.intake.accept(exampleArrival({ email: 'ada@example.com' }))
    expect(await erase(store, 'ada@example.com')).toMatchObject({ stopped: 1, underWay: 0 })
    expect(await claim(store, now + minute)).toEqual([])
    expect(await store.leadReader.stats(now)).toMatchObject({
      byStatus: { pending: 0, delivered: 0, dead: 0, erased: 1 },
      oldestPendingAgeMs: null,
    })
  })

  test('a delivered lead stays delivered', async () => {
    const store = await place.open()
    const ids = await storeLeadOfEachStatus(store)
    expect(await erase(store, 'delivered@example.com')).toMatchObject({ stopped: 0, delivered: 1 })
    expect(await store.leadReader.find(ids.delivered, now)).toMatchObject({
      status: 'erased',
      delivery: { settledAs: 'delivered' },
    })
    expect(await store.leadReader.stats(now)).toMatchObject({
      byStatus: { delivered: 0, erased: 3 },
      deliveredThenErased: 1,
    })
  })

  test.each([
    ['delivered', { name: 'delivered', httpStatus: 200 }, 'delivered'],
    ['not delivered', { name: 'broken', httpStatus: 500, reason: 'server-error' }, 'erased'],
  ] as const)(
    'one that a worker has is told of; that it was %s is still recorded, without words',
    async (_name, outcome, settledAs) => {
      const store = await place.open()
      const { lead, ...arrival } = exampleArrival({ email: 'ada@example.com' })
      await store.intake.accept({ lead, ...arrival })
      const [claimed] = await claim(store)
      expect(await erase(store, 'ada@example.com')).toMatchObject({ stopped: 0, underWay: 1 })
      await store.queue.record({
        id: randomUUIDv7(),
        deliveryId: claimed?.id ?? '',
        lease: claimed?.lease ?? '',
        startedAt: now,
        durationMs: 5,
        outcome,
        response: toPlainLine('Ada'),
        next:
          outcome.name === 'delivered'
            ? { settledAs: 'delivered', at: now + 5 }
            : { retryAt: now + 10, setBy: 'schedule' },
      })
      expect(await claim(store, now + 2 * minute)).toEqual([])
      expect(await store.leadReader.find(lead.id, now)).toMatchObject({
        status: 'erased',
        delivery: { settledAs, attempts: [{ outcome: outcome.name, said: null }] },
      })
    },
  )

  test('a later enquiry is a new lead, even under the same key', async () => {
    const store = await place.open()
    const lead = { email: 'ada@example.com' }
    const first = exampleArrival(lead, 'the-key')
    await store.intake.accept(first)
    await store.intake.accept(exampleArrival({ ...lead, phone: '9415550199' }, 'the-key'))
    await erase(store, 'ada@example.com')
    for (const change of [{}, { phone: '9415550199' }]) {
      const again = exampleArrival({ ...lead, ...change }, 'the-key')
      expect(await store.intake.accept(again)).toEqual({
        id: again.lead.id,
        repeated: false,
        duplicateOf: null,
        corrects: first.lead.id,
      })
    }
  })

  test('a correction with the same name is erased too; one with another name is kept and reported', async () => {
    const store = await place.open()
    const accept = (lead: Partial<Lead>) => store.intake.accept(exampleArrival(lead, 'the-key'))
    const mistyped = await accept({ email: 'ada@exampel.com' })
    const mended = await accept({ email: 'ada@example.com' })
    const other = await accept({ email: 'bea@example.com', firstName: 'Bea' })
    // An enquiry whose idempotency key is another lead's id does not prevent that lead's erasure.
    await store.intake.accept(exampleArrival({}, mended.id))
    await accept({ email: 'ada@example.com', phone: '9415550199' })
    expect((await store.erasure.find(toEmailAddress('ada@example.com'))).ids).toHaveLength(3)
    expect(await erase(store, 'ada@example.com')).toMatchObject({ leads: 3, linked: [other.id] })
    // The link to the corrected lead contains no personal data.
    expect(await store.leadReader.find(mended.id, now)).toMatchObject({
      status: 'erased',
      corrects: mistyped.id,
    })
    expect(await store.leadReader.find(other.id, now)).toMatchObject({
      status: 'pending',
      corrects: mistyped.id,
    })
    const keys = await askStore(
      place.settings(),
      'select idempotency_key as key, id from leads where erased_at is not null order by received_at, id',
    )
    const ownKeys = keys.map(({ key, id }) => String(key).replace(String(id), 'its id'))
    expect(ownKeys.toSorted()).toEqual(['erased/its id', 'erased/its id', 'the-key'])
    expect(await store.erasure.erase({ leadId: other.id }, now)).toMatchObject({
      leads: 1,
      linked: [],
    })
  })

  test('an unknown address erases nothing', async () => {
    const store = await place.open()
    await storeLeadOfEachStatus(store)
    const before = await store.leadReader.stats(now)
    expect(await erase(store, 'nobody@example.com')).toMatchObject({ leads: 0, stopped: 0 })
    expect(await store.leadReader.stats(now)).toEqual(before)
  })
})

describe('the files of SQLite', () => {
  const place = usePlace(sqlitePlace)
  const person = {
    firstName: 'Wilhelmina-Erasable',
    email: 'wilhelmina.erasable@example.com',
    address: '77 Erasable Street',
    phone: '9417778899',
  }
  const userAgent = 'Erasable/7.7'
  const words = [...Object.values(person), userAgent, '203.0.113.77']

  function foundInFiles(): string[] {
    const { dataDir } = place.settings()
    const bytes = readdirSync(dataDir).map((name) => readFileSync(join(dataDir, name)))
    return words.filter((word) => bytes.some((file) => file.includes(word)))
  }

  /** Stores leads of a person among leads of others, including a duplicate, whose row is written twice. */
  async function storePerson(store: Store): Promise<void> {
    const others = (count: number) => Array.from({ length: count }, () => exampleArrival())
    const accept = (...arrivals: readonly LeadArrival[]) =>
      Promise.all(arrivals.map((arrival) => store.intake.accept(arrival)))
    for (let times = 0; times < 3; times++) {
      const { consent } = exampleArrival().lead
      const lead = { ...person, consent: { ...consent, userAgent, ip: '203.0.113.77' } }
      await accept(...others(50))
      await accept(exampleArrival(lead))
      await accept(...others(49))
    }
  }

  test('contain no byte of the person afterwards, even while a server has them open', async () => {
    const server = await place.open()
    await storePerson(server)
    expect(foundInFiles()).toEqual(words)
    const operator = await place.open()
    expect(await erase(operator, person.email)).toMatchObject({ leads: 3, bytes: 'wiped' })
    expect(foundInFiles()).toEqual([])
    await server.intake.accept(exampleArrival())
  })

  test('a reader who keeps the log is reported', async () => {
    const store = await place.open()
    await storePerson(store)
    const reader = new DatabaseSync(join(place.settings().dataDir, 'leads.sqlite'))
    reader.exec('begin')
    reader.prepare('select count(*) from leads').get()
    expect(await erase(store, person.email)).toMatchObject({ leads: 3, bytes: 'wipe again' })
    reader.close()
    expect(await erase(store, person.email)).toMatchObject({ leads: 0, bytes: 'wiped' })
    expect(foundInFiles()).toEqual([])
  })
})
