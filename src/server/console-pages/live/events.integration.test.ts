import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoSignInLink } from '#server/operators/demo-operator.ts'
import { openStore, type Store } from '#server/start/open-store.ts'
import { askRaw } from '#tests/console/ask-raw.ts'
import { type SignedIn, signIn } from '#tests/console/console-visitor.ts'
import { readEvents } from '#tests/console/read-events.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { type StorePlace, storePlaces } from '#tests/store/store-places.ts'

describe.each(storePlaces)('what open pages are told, on $name', ({ makePlace }) => {
  let place: StorePlace
  let product: InProcessProduct
  let store: Store
  let admin: SignedIn
  let now = Date.now()
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

  const follow = (about: string, who = admin) => readEvents(who, about)

  async function accept(): Promise<string> {
    const arrival = exampleArrival({ phone: `9415552${String(Math.random()).slice(2, 5)}` })
    await store.intake.accept(arrival)
    return arrival.lead.id
  }

  test('a lead that comes, and where deliveries stand', async () => {
    const page = await follow(`about=leads&about=deliveries&${await markOf('/')}`)
    const id = await accept()
    const { event, data, id: mark } = await page.next()
    expect({ event, data }).toEqual({ event: 'changed', data: 'leads' })
    expect(await (await admin.get('/leads')).text()).toContain(id)

    await store.breaker.pause({ reason: 'a reason of four words', at: Date.now() })
    expect(await page.next()).toMatchObject({ event: 'changed', data: 'deliveries' })
    await store.breaker.resume({ reason: '', at: now })
    expect((await page.next()).id).not.toContain('reason')
    await page.close()

    // Nothing of what it knows is told again, and what it missed at once.
    const other = await accept()
    const [comesBack, lead] = [
      await follow(`about=leads&since=${mark}`),
      await follow(`about=lead:${other}&since=${mark}`),
    ]
    expect((await comesBack.next()).data).toContain('leads')
    expect((await lead.next()).data).toBe(`lead:${other}`)
    await Promise.all([comesBack.close(), lead.close()])
  })

  test('nothing where nobody is signed in, where it cannot be meant, or to another page', async () => {
    expect((await fetch(`${admin.origin}/events?about=leads`)).status).toBe(401)
    for (const query of ['', 'about=people', 'about=leads&about=x']) {
      expect((await admin.get(`/events?${query}`)).status, query).toBe(400)
    }
    const foreign = {
      cookie: admin.cookie,
      'sec-fetch-site': 'same-site',
      'sec-fetch-mode': 'cors',
    }
    expect((await askRaw(`${admin.origin}/events?about=leads`, foreign)).status).toBe(403)
    const head = await fetch(`${admin.origin}/events?about=leads`, {
      method: 'HEAD',
      headers: { cookie: admin.cookie },
    })
    expect(head.headers.get('content-type')).toBe('text/event-stream')
  })

  test('it is kept by nobody on the way, and a session has four of them', async () => {
    const pages = await Promise.all(Array.from({ length: 4 }, () => follow('about=leads')))
    expect(pages[0]?.headers.get('x-accel-buffering')).toBe('no')
    expect(pages[0]?.headers.get('cache-control')).toContain('no-transform')
    expect((await admin.get('/events?about=leads')).status).toBe(429)
    await Promise.all(pages.map((page) => page.close()))
    const again = await follow('about=leads')
    await again.close()
  })

  test('what a page asks for by itself keeps no session open', async () => {
    const seenAt = () =>
      askStore(place.settings, 'select seen_at from operator_sessions order by began_at limit 1')
    const before = await seenAt()
    now += 5 * 60_000
    await (await follow('about=leads')).close()
    await admin.get('/leads', { 'x-console-live': 'refresh' })
    expect(await seenAt()).toEqual(before)
    await admin.get('/leads')
    expect(await seenAt()).toEqual([{ seen_at: now }])
  })

  test('who is signed out hears no more', async () => {
    const other = await elsewhere()
    const page = await follow(`about=leads&${await markOf('/', other)}`, other)
    await other.post('/sign-out')
    expect(await page.next()).toMatchObject({ event: 'ended', data: 'session' })
    expect(await page.isOver()).toBe(true)
  })

  test('a process that leaves ends them at once', async () => {
    const page = await follow(`about=leads&${await markOf('/')}`)
    product.drain()
    expect(await page.next()).toMatchObject({ event: 'ended', data: 'stopping' })
    expect(await page.isOver()).toBe(true)
  })

  /** Up to where a page knows, as it repeats it. */
  async function markOf(path: string, who = admin): Promise<string> {
    const page = await (await who.get(path)).text()
    return `since=${/data-live-mark="([^"]+)"/.exec(page)?.[1]}`
  }

  /** The same operator in another session. */
  async function elsewhere(): Promise<SignedIn> {
    return signIn(await demoSignInLink(store.operators, admin.origin, now))
  }
})
