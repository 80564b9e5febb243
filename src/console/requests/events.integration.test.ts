import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDemoSignInLink } from '#server/operators/one-time-links.ts'
import { openStore, type Store } from '#server/store/open-store.ts'
import { askRaw } from '#tests/console/ask-raw.ts'
import { type SignedIn, signIn } from '#tests/console/console-visitor.ts'
import { readEvents } from '#tests/console/read-events.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { runInStore } from '#tests/store/run-in-store.ts'
import { type StorePlace, storePlaces } from '#tests/store/store-places.ts'

describe.each(storePlaces)('live updates on $name', ({ makePlace }) => {
  let place: StorePlace
  let product: InProcessProduct
  let store: Store
  let admin: SignedIn
  const now = Date.now()
  beforeAll(async () => {
    place = await makePlace()
    const { dataDir, databaseUrl } = place.settings
    const where: Record<string, string> =
      databaseUrl === undefined ? { DATA_DIR: dataDir } : { DATABASE_URL: databaseUrl }
    product = await startInProcess({ ROLE: 'console', ...where }, undefined, () => now)
    admin = await signIn(product.consoleLink)
    store = await openStore(place.settings)
  })
  afterAll(async () => {
    await store.close()
    await product.stop()
    await place.remove()
  })

  const follow = (who = admin) => readEvents(who)

  async function accept(): Promise<string> {
    const arrival = exampleArrival({ phone: `9415552${String(Math.random()).slice(2, 5)}` })
    await store.intake.accept(arrival)
    return arrival.lead.id
  }

  test.each([
    ['a lead arrives', () => accept()],
    ['an operator pauses', () => store.breaker.pause({ reason: 'four words', at: Date.now() })],
    ['an operator resumes', () => store.breaker.resume({ reason: '', at: now })],
    [
      'anybody acts',
      () =>
        store.audit.record(
          { kind: 'command line', user: 'ada' },
          { action: 'signed out' },
          Date.now(),
        ),
    ],
  ])('a change is read when %s', async (_, change) => {
    const before = await store.readChangeMarker()
    await change()
    expect(await store.readChangeMarker()).not.toBe(before)
  })

  test('an open page receives `changed` first, and again after each change', async () => {
    const page = await follow()
    expect(await page.next()).toBe('changed')
    while ((await page.next()) !== 'same');
    await accept()
    expect(await page.nextNews()).toBe('changed')
    await page.close()
  })

  test('only a signed-in page of the console receives events', async () => {
    expect((await fetch(`${admin.origin}/events`)).status).toBe(401)
    const foreign = {
      cookie: admin.cookie,
      'sec-fetch-site': 'same-site',
      'sec-fetch-mode': 'cors',
    }
    expect((await askRaw(`${admin.origin}/events`, foreign)).status).toBe(403)
    const head = await fetch(`${admin.origin}/events`, {
      method: 'HEAD',
      headers: { cookie: admin.cookie },
    })
    expect(head.headers.get('content-type')).toBe('text/event-stream')
  })

  test('proxies pass events on at once, and a session has four streams', async () => {
    const pages = await Promise.all(Array.from({ length: 4 }, () => follow()))
    expect(pages[0]?.headers.get('x-accel-buffering')).toBe('no')
    expect(pages[0]?.headers.get('cache-control')).toContain('no-transform')
    expect((await admin.get('/events')).status).toBe(429)
    await Promise.all(pages.map((page) => page.close()))
    const again = async () => {
      const reply = await admin.get('/events')
      await reply.body?.cancel()
      return reply.status
    }
    await expect.poll(again).toBe(200)
  })

  test('requests that a page makes by itself keep no session open', async () => {
    const seenAt = () =>
      askStore(place.settings, 'select seen_at from operator_sessions order by began_at limit 1')
    // On PostgreSQL, the database's time counts, which a test cannot move; so the session becomes older.
    await runInStore(place.settings, 'update operator_sessions set seen_at = seen_at - 300000')
    const before = await seenAt()
    await (await follow()).close()
    await admin.get('/leads', { 'x-console-live': 'refresh' })
    expect(await seenAt()).toEqual(before)
    await admin.get('/leads')
    const [after] = await seenAt()
    expect(Number(after?.seen_at)).toBeGreaterThanOrEqual(Number(before[0]?.seen_at) + 300_000)
  })

  test('the stream of a session that was signed out ends', async () => {
    const other = await elsewhere()
    const page = await follow(other)
    await page.next()
    await other.post('/sign-out')
    let event = await page.next()
    while (event !== 'ended') event = await page.next()
    expect(await page.isOver()).toBe(true)
  })

  test('a stopping process ends its streams at once', async () => {
    const page = await follow()
    product.drain()
    expect(await page.isOver()).toBe(true)
  })

  /** Signs the same operator in to another session. */
  async function elsewhere(): Promise<SignedIn> {
    return signIn(await makeDemoSignInLink(store.operators.db, admin.origin, now))
  }
})
