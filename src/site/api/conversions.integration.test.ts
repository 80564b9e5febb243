import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { makeReturnsImporter } from '#server/delivery/import-returns.ts'
import { defaultReturnColumns } from '#server/delivery/parse-returns.ts'
import { readConversionAdjustments, readConversions } from '#server/leads/read-conversions.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'
import type { Store } from '#server/store/open-store.ts'
import { settleLead } from '#tests/store/act-on-leads.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { runInStore } from '#tests/store/run-in-store.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { conversionsRoute } from './conversions.ts'

const now = Date.UTC(2026, 2, 1, 12)
const day = 86_400_000
const password = 'correct horse battery'

const basic = (user: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`,
})

/** Stores a lead that the distributor accepted at a time, with the given click id. */
async function acceptLead(store: Store, gclid: string | undefined, acceptedAt = now) {
  const touch = gclid === undefined ? { utm_source: 'x' } : { gclid }
  const arrival = exampleArrival({
    receivedAt: acceptedAt - 1000,
    attribution: { first: {}, last: touch },
  })
  await store.intake.accept(arrival)
  await settleLead(store, arrival.lead.id, 'delivered', acceptedAt)
  return arrival.lead
}

async function read(store: Store, file = readConversions): Promise<string> {
  let text = ''
  for await (const part of file(store.database.db, now)) text += part
  return text
}

const referenceOf = async (store: Store, id: string) =>
  (
    await store.database.db
      .selectFrom('leads')
      .select('reference')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).reference

const setRevenue = (store: Store, cents: number) =>
  store.database.db
    .insertInto('revenues')
    .values({
      ...{ id: 'r', program: null, from_day: 0, from_at: 0, amount_cents: cents },
      ...{ set_at: 0, operator_id: null, system_user: 'ada' },
    })
    .execute()

const returnLeads = (store: Store, ids: readonly string[], at: number) =>
  makeReturnsImporter({
    ...store.database,
    audit: store.audit,
    clock: () => at,
    zone: 'America/New_York',
  }).import(
    { kind: 'command line', user: 'ada' },
    // The distributor's file has only a date, whose noon may come before the acceptance.
    [
      'reference,date,reason',
      ...ids.map((id) => `${id},${new Date(at).toISOString().slice(0, 10)},`),
    ].join('\n'),
    defaultReturnColumns,
  )

describe.each(storePlaces)('conversions on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('lists accepted leads from ads of the last 90 days, without formulas', async () => {
    const store = await place.open()
    const known = await acceptLead(store, 'Cj0K-1', now - 89 * day)
    await setRevenue(store, 8_505)
    const formula = await acceptLead(store, '=HYPERLINK("x")')
    // Release 0.3.0 stored leads without a reference of their own.
    const old = await acceptLead(store, 'Cj0K-2')
    await store.database.db
      .updateTable('leads')
      .set({ reference: null })
      .where('id', '=', old.id)
      .execute()
    await acceptLead(store, 'too old', now - 91 * day)
    await acceptLead(store, undefined)
    // Earlier versions have stored placeholders.
    for (const placeholder of ['{gclid}', '{{gclid}}', '%7Bgclid%7D', '__GCLID__', '%%GCLID%%']) {
      await acceptLead(store, placeholder)
    }
    const erased = await acceptLead(store, 'erased')
    await store.erasure.erase(toEmailAddress(erased.email), now)
    const returned = await acceptLead(store, 'returned')
    await store.database.db
      .updateTable('lead_index')
      .set({ returned_at: now })
      .where('lead_id', '=', returned.id)
      .execute()
    const open = exampleArrival({ receivedAt: now - 1 })
    await store.intake.accept(open)
    expect(await read(store)).toBe(
      [
        'Google Click ID,Conversion Name,Conversion Time,Conversion Value,Conversion Currency,Order ID',
        `Cj0K-1,Accepted lead,2025-12-02 12:00:00+0000,,USD,${await referenceOf(store, known.id)}`,
        `"'=HYPERLINK(""x"")",Accepted lead,2026-03-01 12:00:00+0000,85.05,USD,${await referenceOf(store, formula.id)}`,
        'Cj0K-2,Accepted lead,2026-03-01 12:00:00+0000,85.05,USD,',
        '',
      ].join('\r\n'),
    )
  })

  test('a returned lead moves from the conversions to the adjustments, under the same order id', async () => {
    const store = await place.open()
    await setRevenue(store, 8_505)
    const accepted = now - 2 * day
    const lead = await acceptLead(store, 'Cj0K-1', accepted)
    const kept = await acceptLead(store, 'Cj0K-2', accepted)
    const others = [
      await acceptLead(store, undefined, accepted),
      await acceptLead(store, 'too old', now - 55 * day),
    ]
    const [old, erased] = [
      await acceptLead(store, 'no order id', accepted),
      await acceptLead(store, 'erased', accepted),
    ]
    await store.database.db
      .updateTable('leads')
      .set({ reference: null })
      .where('id', '=', old.id)
      .execute()
    const orderId = await referenceOf(store, lead.id)
    expect(orderId).toMatch(/^[0-9A-Z]{8}$/)
    expect(await read(store)).toContain(
      `Cj0K-1,Accepted lead,2026-02-27 12:00:00+0000,85.05,USD,${orderId}`,
    )
    const header =
      'Order ID,Conversion Name,Adjustment Time,Adjustment Type,Adjusted Value,Adjusted Value Currency'
    expect(await read(store, readConversionAdjustments)).toBe(`${header}\r\n`)

    const ids = [lead, ...others, old, erased].map(({ id }) => id)
    const returnedAt = accepted + 60_000
    expect(await returnLeads(store, ids, returnedAt)).toMatchObject({ recorded: 5 })
    await store.erasure.erase(toEmailAddress(erased.email), now)
    expect(await read(store)).not.toContain('Cj0K-1')
    expect(await read(store)).toContain(`,${await referenceOf(store, kept.id)}`)
    expect(await read(store, readConversionAdjustments)).toBe(
      `${header}\r\n${orderId},Accepted lead,2026-02-27 12:01:00+0000,RETRACT,,\r\n`,
    )
  })

  test('lists more adjustments than fit into one page, each once', async () => {
    const store = await place.open()
    const lead = await acceptLead(store, 'click', now - day)
    await returnLeads(store, [lead.id], now)
    await runInStore(
      place.settings(),
      `insert into leads (id, idempotency_key, same_enquiry_hash, received_at, area, email, payload, reference)
         with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 500)
         select '019bc0de-0000-7000-8000-0000' || (10000000 + n), 'copy ' || n, 'hash ' || n, received_at, area,
           email, payload, 'COPY' || (1000 + n) from leads, numbers;
       insert into lead_ledger (lead_id, kind, at, program)
         select leads.id, kind, at, program from lead_ledger, leads where idempotency_key like 'copy %';
       update lead_index set returned_at = ${now} where returned_at is null`,
    )
    const lines = (await read(store, readConversionAdjustments)).split('\r\n').slice(1, -1)
    expect(new Set(lines.map((line) => line.slice(0, 8))).size).toBe(501)
    expect(lines).toHaveLength(501)
  })
})

const routesWith = (conversionsPassword: string | undefined) =>
  new Hono<{ Bindings: object }>().route(
    '/',
    conversionsRoute({
      conversionsPassword,
      readConversions: async function* () {
        yield 'the file'
      },
      readConversionAdjustments: async function* () {
        yield 'the adjustments'
      },
      visitorIp: () => '203.0.113.7',
    }),
  )

const request = (
  app: ReturnType<typeof routesWith>,
  headers = {},
  from = '203.0.113.7',
  path = '/conversions.csv',
) => app.request(path, { headers }, { incoming: { socket: { remoteAddress: from } } })

test('only the right user and password open the file, and wrong passwords are limited', async () => {
  expect((await request(routesWith(undefined))).status).toBe(404)
  const app = routesWith(password)
  const right = await request(app, basic('conversions', password))
  expect([right.status, await right.text()]).toEqual([200, 'the file'])
  expect(right.headers.get('cache-control')).toBe('no-store')
  const adjustments = '/conversion-adjustments.csv'
  const more = await request(app, basic('conversions', password), '203.0.113.7', adjustments)
  expect(await more.text()).toBe('the adjustments')
  expect((await request(app, {}, '203.0.113.7', adjustments)).status).toBe(401)
  const none = await request(app)
  expect([none.status, none.headers.get('www-authenticate')]).toEqual([
    401,
    'Basic realm="conversions", charset="UTF-8"',
  ])
  for (let call = 0; call < 25; call++) await request(app)
  expect((await request(app, basic('admin', password))).status).toBe(401)
  for (let guess = 0; guess < 19; guess++) await request(app, basic('conversions', `${guess}`))
  expect((await request(app, basic('conversions', password))).status).toBe(429)
  expect((await request(app, basic('conversions', password), '203.0.113.8')).status).toBe(200)
})
