import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { readConversions } from '#server/leads/read-conversions.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'
import type { Store } from '#server/store/open-store.ts'
import { settleLead } from '#tests/store/act-on-leads.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
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

async function read(store: Store): Promise<string> {
  let text = ''
  for await (const part of readConversions(store.database.db, now)) text += part
  return text
}

describe.each(storePlaces)('conversions on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('lists accepted leads from ads of the last 90 days, without formulas', async () => {
    const store = await place.open()
    await acceptLead(store, 'Cj0K-1', now - 89 * day)
    await acceptLead(store, '=HYPERLINK("x")')
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
        'Google Click ID,Conversion Name,Conversion Time,Conversion Value,Conversion Currency',
        'Cj0K-1,Accepted lead,2025-12-02 12:00:00+0000,,USD',
        `"'=HYPERLINK(""x"")",Accepted lead,2026-03-01 12:00:00+0000,,USD`,
        '',
      ].join('\r\n'),
    )
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
      visitorIp: () => '203.0.113.7',
    }),
  )

const request = (app: ReturnType<typeof routesWith>, headers = {}, from = '203.0.113.7') =>
  app.request('/conversions.csv', { headers }, { incoming: { socket: { remoteAddress: from } } })

test('only the right user and password open the file, and wrong passwords are limited', async () => {
  expect((await request(routesWith(undefined))).status).toBe(404)
  const app = routesWith(password)
  const right = await request(app, basic('conversions', password))
  expect([right.status, await right.text()]).toEqual([200, 'the file'])
  expect(right.headers.get('cache-control')).toBe('no-store')
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
