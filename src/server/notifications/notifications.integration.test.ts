import { randomUUIDv7 } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { brotliCompressSync } from 'node:zlib'
import { pino } from 'pino'
import { Webhook } from 'standardwebhooks'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Lead } from '#domain/lead/lead.ts'
import { type LeadEvent, usualWebhookEvents } from '#domain/notifications/notification.ts'
import { insertBreaker, makeBreakerStore } from '#server/delivery/breaker-store.ts'
import { makeDoNotContactActions } from '#server/delivery/manage-do-not-contact.ts'
import { findListedAt } from '#server/leads/do-not-contact.ts'
import { enqueueNotifications } from '#server/leads/enqueue-notifications.ts'
import type { CommandLineActor } from '#server/operators/operator.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'
import { makeFailureLog } from '#server/platform/observability/failure-log.ts'
import type { Store } from '#server/store/open-store.ts'
import { releaseLead, settleLead } from '#tests/store/act-on-leads.ts'
import { conflictOnce } from '#tests/store/conflict-once.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { makeWebhookActions } from './manage-webhooks.ts'
import { makeNotificationQueues } from './notification-queue.ts'
import { endStaleNotifications, makeNotifier } from './notifier.ts'

const now = Date.now()
const admin: CommandLineActor = { kind: 'command line', user: 'ada' }
const settings = { timeoutMs: 5000, allowsLocal: true, clock: () => now }

interface Received {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

type Answer = (reply: ServerResponse, call: Received) => void
const accept: Answer = (reply) => reply.end('thanks')

/** Starts a partner's server, which lists what it received. */
async function startPartner(answer: Answer = accept) {
  const calls: Received[] = []
  let onCall = () => {}
  const server = createServer(async (request, reply) => {
    const body = await text(request)
    const call = { url: request.url ?? '', headers: request.headers, body }
    calls.push(call)
    onCall()
    answer(reply, call)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    received: async (count: number) => {
      while (calls.length < count) await new Promise<void>((resolve) => (onCall = resolve))
    },
  }
}

const manage = (store: Store) =>
  makeWebhookActions({ db: store.database.db, audit: store.audit, ...settings })

const addWebhook = (
  store: Store,
  url: string,
  sendsPersonalData = false,
  events: readonly LeadEvent[] = usualWebhookEvents,
) => manage(store).add(admin, { url, events, sendsPersonalData })

async function addAffiliate(store: Store, template: string): Promise<string> {
  const id = randomUUIDv7()
  await store.database.db
    .insertInto('affiliates')
    .values({
      id,
      name: id,
      notes: '',
      payout_cents: 1250,
      postback_url: template,
      created_at: now,
    })
    .execute()
  await store.database.db
    .insertInto('affiliate_ids')
    .values({ affid: 'affiliate 7', affiliate_id: id })
    .execute()
  const first = { program: null, from_day: 0, from_at: 0, amount_cents: 1250 }
  const setter = { set_at: now, operator_id: null, system_user: 'ada' }
  await store.database.db
    .insertInto('payouts')
    .values({ id, affiliate_id: id, ...first, ...setter })
    .execute()
  return id
}

/** Stores leads and records that the distributor accepted or rejected them. */
async function settleLeads(
  store: Store,
  count = 1,
  as: 'delivered' | 'rejected' = 'delivered',
  lead: Partial<Lead> = {},
) {
  const leads = Array.from({ length: count }, () =>
    exampleArrival({ receivedAt: now - 9, ...lead }),
  )
  await Promise.all(leads.map((arrival) => store.intake.accept(arrival)))
  const claim = { now, leaseUntil: now + 60_000, limit: count }
  const claimed = await store.queue.claimDue(claim)
  await Promise.all(
    claimed.map(({ id: deliveryId, lease }) =>
      store.queue.record({
        ...{ id: randomUUIDv7(), deliveryId, lease, startedAt: now, durationMs: 1 },
        outcome: { name: as, httpStatus: 200 },
        next: { settledAs: as, at: now },
      }),
    ),
  )
  return leads.map((arrival) => arrival.lead)
}

function startNotifier(store: Store, timeoutMs = settings.timeoutMs) {
  const failureLog = makeFailureLog(pino({ level: 'error' }), { begins: '', ends: '' })
  const notifier = makeNotifier(
    { database: store.database, log: pino({ level: 'silent' }), failureLog },
    { ...settings, timeoutMs, retrySchedule: [60_000], lease: 60_000, pollEvery: 5 },
  )
  notifier.start()
  onTestFinished(() => notifier.stop(0))
  return notifier
}

const rowsOf = (store: Store) =>
  store.database.db.selectFrom('notifications').selectAll().orderBy('id').execute()

describe.each(storePlaces)('notifications on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('a webhook is signed as Standard Webhooks says, without personal data unless enabled', async () => {
    const store = await place.open()
    const [plain, crm] = [await startPartner(), await startPartner()]
    const { secret } = await addWebhook(store, plain.url)
    await addWebhook(store, crm.url, true)
    const [lead] = await settleLeads(store)
    // A link may contain a person's address, name or phone number.
    await settleLeads(store, 1, 'delivered', {
      subId: 'zoe@example.com',
      attribution: {
        first: {},
        last: { utm_source: '+1 941 555-0100', utm_campaign: 'Dear+ZOE%20oneill' },
      },
    })
    const notifier = startNotifier(store)
    await Promise.all([plain.received(2), crm.received(2)])
    await notifier.stop(5000)
    expect(plain.calls.map(({ body }) => body).join('')).not.toMatch(/@|zoe|neill|555/i)
    expect(crm.calls.map(({ body }) => body).join('')).toContain('"campaign":"Dear+ZOE%20oneill"')
    const [call] = plain.calls.filter(({ body }) => body.includes(lead?.id ?? ''))
    const payload = new Webhook(secret).verify(call?.body ?? '', call?.headers as never)
    expect(payload).toMatchObject({
      type: 'lead.accepted',
      timestamp: new Date(now).toISOString(),
      data: { event: 'accepted', leadId: lead?.id, affiliate: 'affiliate 7', source: 'news' },
    })
    expect(() => new Webhook(secret).verify(`${call?.body} `, call?.headers as never)).toThrow()
    for (const value of [lead?.email, lead?.lastName, lead?.phone, lead?.address, 'click 1']) {
      expect(call?.body).not.toContain(value)
    }
    expect(crm.calls.map(({ body }) => JSON.parse(body).data.answers.email)).toContain(lead?.email)
    // A reply to a call with personal data may quote them.
    expect((await rowsOf(store)).map(({ reply }) => reply).toSorted()).toEqual([
      null,
      null,
      'thanks',
      'thanks',
    ])
  })

  test('after a stop, no webhook gets the answers, unless an operator released the lead since', async () => {
    const store = await place.open()
    const crm = await startPartner()
    await addWebhook(store, crm.url, true)
    const [ada] = await settleLeads(store, 1, 'delivered', { email: 'listed@example.com' })
    const [bea] = await settleLeads(store)
    const carl = exampleArrival({ receivedAt: now - 9, email: 'carl@example.com' })
    await store.intake.accept({ ...carl, signals: ['too-fast'], isQuarantined: true })
    const { db } = store.database
    const context = { ...store.database, ...store.operators, audit: store.audit }
    const list = makeDoNotContactActions({ ...context, clock: () => now - 5 })
    await list.import(admin, 'email\nlisted@example.com\ncarl@example.com')
    await releaseLead(store, carl.lead.id, now - 1, {
      despite: await findListedAt(db, carl.lead.id),
    })
    await settleLead(store, carl.lead.id, 'delivered', now)
    const returned = { event: 'returned', leadIds: [ada?.id ?? ''], at: now } as const
    await db.transaction().execute((open) => enqueueNotifications(open, returned))
    startNotifier(store)
    await crm.received(4)
    const calls = crm.calls.map(({ body }) => JSON.parse(body).data)
    const answered = calls.filter(({ answers }) => answers !== undefined)
    expect(answered.map(({ leadId }) => leadId).toSorted()).toEqual(
      [bea?.id, carl.lead.id].toSorted(),
    )
    const ofAda = calls.filter(({ leadId }) => leadId === ada?.id).map(({ event }) => event)
    expect(ofAda.toSorted()).toEqual(['accepted', 'returned'])
  })

  test('a webhook that chose it hears of each stored lead once, with its signals; no other destination does', async () => {
    const store = await place.open()
    const partner = await startPartner()
    const crm = await startPartner()
    await addWebhook(store, partner.url, false, ['received'])
    await addWebhook(store, crm.url, true, ['received'])
    await addWebhook(store, 'http://127.0.0.1:9')
    await addAffiliate(store, 'http://127.0.0.1:9/?e={event}')
    const first = exampleArrival({ receivedAt: now })
    await store.intake.accept(first)
    await store.intake.accept(first)
    const again = exampleArrival({ receivedAt: now })
    await store.intake.accept({
      ...again,
      dedupeKey: first.dedupeKey,
      signals: ['disposable-mail'],
    })
    const signals = ['too-fast', 'disposable-mail'] as const
    const robot = exampleArrival({ receivedAt: now, email: 'robot@example.com' })
    await store.intake.accept({ ...robot, signals, isQuarantined: true })
    expect((await rowsOf(store)).map(({ event }) => event)).toEqual(Array(6).fill('received'))
    expect(await store.leadReader.find(robot.lead.id, now)).toMatchObject({
      delivery: null,
      notifications: [{ event: 'received' }, { event: 'received' }],
    })
    startNotifier(store)
    await Promise.all([partner.received(3), crm.received(3)])
    const answered = crm.calls.filter(({ body }) => JSON.parse(body).data.answers !== undefined)
    expect(answered, 'not about the quarantined lead').toHaveLength(2)
    expect(answered.map(({ body }) => body).join()).not.toContain(robot.lead.id)
    const bodies = partner.calls.map(({ body }) => JSON.parse(body))
    const common = { area: robot.lead.area, affiliate: 'affiliate 7' }
    const data = bodies.map((body) => body.data)
    expect(data.toSorted((a, b) => (a.leadId < b.leadId ? -1 : 1))).toMatchObject([
      { event: 'received', leadId: first.lead.id, reason: null, signals: [], ...common },
      { leadId: again.lead.id, reason: 'duplicate', signals: ['disposable-mail'] },
      { leadId: robot.lead.id, reason: 'quarantined', signals },
    ])
    expect(bodies[0].type).toBe('lead.received')
    expect(JSON.stringify(bodies)).not.toMatch(/@|lovelace|555/i)
  })

  test('a postback has the lead’s own values, URL-encoded; an affiliate without a postback gets no call', async () => {
    const store = await place.open()
    const partner = await startPartner()
    const macros = 'c={click_id}&s={sub_id}&l={lead_id}&e={event}&r={reason}&p={payout}&t={time}'
    await addAffiliate(store, `${partner.url}/postback?${macros}`)
    const attribution = { first: { click_id: 'a&b=c' }, last: { utm_source: 'x' } }
    const [paid] = await settleLeads(store, 1, 'delivered', { attribution })
    await settleLeads(store, 1, 'rejected', { subId: 'nobody’s' })
    const [unpaid] = await settleLeads(store, 1, 'rejected')
    startNotifier(store)
    await partner.received(2)
    const time = encodeURIComponent(new Date(now).toISOString())
    expect(partner.calls.map(({ url }) => url).toSorted()).toEqual([
      `/postback?c=&s=affiliate%207&l=${unpaid?.id}&e=rejected&r=&p=0.00&t=${time}`,
      `/postback?c=a%26b%3Dc&s=affiliate%207&l=${paid?.id}&e=accepted&r=&p=12.50&t=${time}`,
    ])
  })

  test('settling a lead by hand also notifies, and no destination is notified twice', async () => {
    const store = await place.open()
    await addWebhook(store, 'http://127.0.0.1:9')
    const [lead] = await settleLeads(store, 1, 'rejected')
    const id = lead?.id ?? ''
    await settleLead(store, id, 'delivered', now)
    await store.database.db
      .transaction()
      .execute((again) =>
        enqueueNotifications(again, { event: 'accepted', leadIds: [id], at: now }),
      )
    expect((await rowsOf(store)).map(({ event }) => event)).toEqual(['rejected', 'accepted'])
    expect(await store.leadReader.find(id, now)).toMatchObject({
      notifications: [
        { event: 'rejected', name: '127.0.0.1:9', settledAs: null, httpStatus: null },
        { event: 'accepted' },
      ],
      delivery: { noPostback: 'no affiliate has the lead’s affiliate id' },
    })
  })

  test('a destination that never answers delays neither the others nor a lead', async () => {
    const store = await place.open()
    const hung = await startPartner(() => {})
    const broken = await startPartner((reply) => reply.writeHead(500).end('no'))
    const well = await startPartner()
    for (const { url } of [hung, broken, well]) await addWebhook(store, url)
    await settleLeads(store, 40)
    startNotifier(store)
    await Promise.all([well.received(40), hung.received(1), broken.received(10)])
    // Leads go on to be delivered while the calls hang.
    await settleLeads(store, 5)
    await well.received(45)
    expect(hung.calls.length).toBeLessThanOrEqual(4)
    const readStates = async () =>
      (await manage(store).list(admin)).map(({ waiting, breaker }) => [
        waiting,
        breaker.trip && [breaker.trip.cause, breaker.trip.reason],
      ])
    await expect.poll(readStates).toEqual([
      [45, null],
      [45, ['outage', 'HTTP 500']],
      [0, null],
    ])
    expect((await store.breaker.read()).trip).toBeNull()
    // An open breaker sends one probe at a time instead of all 45.
    expect(broken.calls.length).toBeLessThan(20)
  })

  test('a pause holds the notifications of one destination until an operator resumes them', async () => {
    const store = await place.open()
    const [held, open] = [await startPartner(), await startPartner()]
    const { id } = await addWebhook(store, held.url)
    await addWebhook(store, open.url)
    const webhooks = manage(store)
    await webhooks.pause(admin, { kind: 'webhook', id })
    expect((await webhooks.find(admin, id))?.destination.breaker.pause?.by).toBe(
      'ada (command line)',
    )
    await settleLeads(store)
    const paused = startNotifier(store)
    await open.received(1)
    await paused.stop(5000)
    expect(held.calls).toEqual([])
    await webhooks.resume(admin, { kind: 'webhook', id })
    startNotifier(store)
    await held.received(1)
  })

  test('a resume does not end the outage of a destination', async () => {
    const store = await place.open()
    const { id } = await addWebhook(store, (await startPartner()).url)
    const destination = { kind: 'webhook', id } as const
    await insertBreaker(store.database.db, destination)
    const breaker = makeBreakerStore(store.database.db, destination)
    await breaker.trip({ cause: 'refused', reason: 'HTTP 403', since: now, at: now + 3_600_000 })
    expect(await manage(store).resume(admin, destination)).toBe(false)
    expect((await breaker.read()).trip).not.toBeNull()
  })

  test('removing a webhook cuts off its call in progress, because its worker stops', async () => {
    const store = await place.open()
    const cutOff = Promise.withResolvers<void>()
    const hung = await startPartner((reply) => reply.once('close', cutOff.resolve))
    const { id } = await addWebhook(store, hung.url)
    await settleLeads(store)
    startNotifier(store, 600_000)
    await hung.received(1)
    await manage(store).remove(admin, id)
    await cutOff.promise
  })

  test('a conflict while the receiver is read claims no second notification', async () => {
    const store = await place.open()
    const { id } = await addWebhook(store, 'http://127.0.0.1:9')
    await settleLeads(store, 2)
    const makeQueue = makeNotificationQueues(conflictOnce(store.database, 'webhooks'))
    const queue = makeQueue({ kind: 'webhook', id })
    const claimed = await queue.claimDue({ now, leaseUntil: now + 60_000, limit: 1 })
    const leased = (await rowsOf(store)).filter(({ lease }) => lease !== null)
    expect(claimed).toHaveLength(1)
    expect(leased.map((row) => row.id)).toEqual(claimed.map((item) => item.id))
  })

  test('an affiliate gets no event that nobody has decided to send to affiliates', async () => {
    const store = await place.open()
    await addAffiliate(store, 'http://127.0.0.1:9/?e={event}')
    const [lead] = await settleLeads(store, 1, 'rejected', { subId: 'AFFILIATE 7' })
    const leadIds = [lead?.id ?? '']
    await store.database.db
      .transaction()
      .execute((open) =>
        enqueueNotifications(open, { event: 'reviewed' as never, leadIds, at: now }),
      )
    expect((await rowsOf(store)).map(({ event }) => event)).toEqual(['rejected'])
  })

  test('a test says that it is one, and its reply is cut to 4 KB', async () => {
    const store = await place.open()
    const partner = await startPartner((reply) => reply.end('x'.repeat(100_000)))
    const webhook = await addWebhook(store, `${partner.url}/crm`)
    const affiliate = await addAffiliate(store, `${partner.url}/postback?e={event}`)
    const webhooks = manage(store)
    const sent = await webhooks.test(admin, { kind: 'webhook', id: webhook.id })
    await webhooks.test(admin, { kind: 'postback', id: affiliate })
    expect(sent).toEqual({ isAccepted: true, answer: 'HTTP 200' })
    expect(JSON.parse(partner.calls[0]?.body ?? '')).toMatchObject({ type: 'test', test: true })
    expect(partner.calls[1]?.url).toBe('/postback?e=test&test=1')
    expect((await rowsOf(store)).map(({ reply }) => reply?.length)).toEqual([4096, 4096])
  })

  test('a reply that is compressed against our wish is stored as text', async () => {
    const store = await place.open()
    const body = brotliCompressSync('no “such” click')
    const partner = await startPartner((reply) =>
      reply.writeHead(404, { 'content-encoding': 'br' }).end(body),
    )
    const id = await addAffiliate(store, `${partner.url}/?e={event}`)
    await manage(store).test(admin, { kind: 'postback', id })
    expect(partner.calls[0]?.headers['accept-encoding']).toBe('identity')
    expect((await rowsOf(store)).map(({ reply }) => reply)).toEqual(['no “such” click'])
  })

  test('a webhook’s URL is stored as it is called', async () => {
    const store = await place.open()
    const { id } = await addWebhook(store, ' https://CRM.example:443/le\nads\t?a=ü b\r\n')
    const destination = await manage(store).find(admin, id)
    expect(destination?.destination.name).toBe('https://crm.example/leads?a=%C3%BC%20b')
  })

  test('a redirect is not followed, and no private address is called outside demo mode', async () => {
    const store = await place.open()
    const target = await startPartner()
    const partner = await startPartner((reply) =>
      reply.writeHead(302, { location: target.url }).end(),
    )
    const { id } = await addWebhook(store, partner.url)
    const destination = { kind: 'webhook', id } as const
    expect(await manage(store).test(admin, destination)).toMatchObject({ answer: 'HTTP 302' })
    expect(target.calls).toEqual([])
    const production = makeWebhookActions({
      ...{ db: store.database.db, audit: store.audit, ...settings },
      allowsLocal: false,
    })
    expect(await production.test(admin, destination)).toEqual({
      isAccepted: false,
      answer: 'the address is not public, or not https',
    })
    expect(partner.calls).toHaveLength(1)
  })

  test('an operator sends failed notifications again', async () => {
    const store = await place.open()
    const partner = await startPartner()
    const { id } = await addWebhook(store, partner.url)
    await settleLeads(store)
    await endStaleNotifications(store.database.db, now + 8 * 86_400_000)
    const destination = { kind: 'webhook', id } as const
    const hasFailed = async () => (await manage(store).find(admin, id))?.hasFailed
    expect(await hasFailed()).toBe(true)
    expect(await manage(store).sendAgain(admin, destination)).toBe(1)
    expect(await hasFailed()).toBe(false)
    expect(await manage(store).sendAgain(admin, destination)).toBe(0)
    const entries = await store.audit.list({ action: 'sent notifications again', take: 9 })
    expect(entries).toMatchObject([{ outcome: '1' }])
    startNotifier(store)
    await partner.received(1)
  })

  test('an erasure ends waiting notifications and removes replies; removing a webhook ends its waiting notifications', async () => {
    const store = await place.open()
    const partner = await startPartner()
    await addWebhook(store, partner.url)
    const [sent] = await settleLeads(store)
    const notifier = startNotifier(store)
    await partner.received(1)
    await notifier.stop(5000)
    const [waiting] = await settleLeads(store)
    for (const lead of [sent, waiting]) {
      await store.erasure.erase(toEmailAddress(lead?.email ?? ''), now)
    }
    const { id } = await addWebhook(store, partner.url)
    await settleLeads(store)
    await manage(store).remove(admin, id)
    await endStaleNotifications(store.database.db, now + 8 * 86_400_000)
    const rows = await rowsOf(store)
    const ends = rows.map((row) => [row.settled_as, row.settled_because, row.reply])
    expect(ends.toSorted((a, b) => `${a}`.localeCompare(`${b}`))).toEqual([
      ['dead', 'erased', null],
      ['dead', 'expired', null],
      ['dead', 'removed', null],
      ['delivered', null, null],
    ])
  })

  test('a call in progress keeps its notification from ending as stale, until its lease has ended', async () => {
    const store = await place.open()
    const { id } = await addWebhook(store, 'http://127.0.0.1:9')
    await settleLeads(store)
    const week = 8 * 86_400_000
    const lease = { now: now + week, leaseUntil: now + week + 60_000, limit: 10 }
    const queue = makeNotificationQueues(store.database)({ kind: 'webhook', id })
    expect(await queue.claimDue(lease)).toHaveLength(1)
    const becauseAt = async (at: number) => {
      await endStaleNotifications(store.database.db, at)
      return (await rowsOf(store)).map((row) => row.settled_because)
    }
    expect(await becauseAt(lease.now)).toEqual([null])
    await manage(store).remove(admin, id)
    expect(await becauseAt(lease.now), 'of a removed webhook').toEqual([null])
    expect(await becauseAt(lease.leaseUntil)).toEqual(['expired'])
  })
})
