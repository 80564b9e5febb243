import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDemoSignInLink } from '#server/operators/one-time-links.ts'
import { openStore, type Store } from '#server/store/open-store.ts'
import { askRaw } from '#tests/console/ask-raw.ts'
import { type SignedIn, signIn } from '#tests/console/console-visitor.ts'
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

  test('an open page learns of each change, and of nothing else', async () => {
    const read = async () => (await admin.get('/api/changes')).text()
    const before = await read()
    expect(before).toMatch(/^[\w-]{43}$/)
    expect(await read()).toBe(before)
    await accept()
    await expect.poll(read).not.toBe(before)
  })

  test('only a signed-in page of the console learns of changes', async () => {
    expect((await fetch(`${admin.origin}/api/changes`)).status).toBe(401)
    const foreign = {
      cookie: admin.cookie,
      'sec-fetch-site': 'same-site',
      'sec-fetch-mode': 'cors',
    }
    expect((await askRaw(`${admin.origin}/api/changes`, foreign)).status).toBe(403)
    const other = await signIn(await makeDemoSignInLink(store.operators.db, admin.origin, now))
    expect((await other.get('/api/changes')).status).toBe(200)
    await other.post('/sign-out')
    expect((await other.get('/api/changes')).status).toBe(401)
  })

  test('requests that a page makes by itself keep no session open', async () => {
    const seenAt = () =>
      askStore(place.settings, 'select seen_at from operator_sessions order by began_at limit 1')
    // On PostgreSQL, the database's time counts, which a test cannot move; so the session becomes older.
    await runInStore(place.settings, 'update operator_sessions set seen_at = seen_at - 300000')
    const before = await seenAt()
    await admin.get('/api/changes')
    await admin.get('/leads', { 'x-console-live': 'refresh' })
    expect(await seenAt()).toEqual(before)
    await admin.get('/leads')
    const [after] = await seenAt()
    expect(Number(after?.seen_at)).toBeGreaterThanOrEqual(Number(before[0]?.seen_at) + 300_000)
  })
})
