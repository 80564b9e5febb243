import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LeadStatus, leadStatuses } from '#domain/lead/lead-status.ts'
import { openStore } from '#server/store/open-store.ts'
import { type SignedIn, signIn, visitor } from '#tests/console/console-visitor.ts'
import { untilPasses } from '#tests/patience/until.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { storeLeadOfEachStatus } from '#tests/store/lead-of-each-status.ts'
import { type StorePlace, sqlitePlace } from '#tests/store/store-places.ts'
import { htmlFaults } from './html-faults.ts'

let place: StorePlace
let product: InProcessProduct
let admin: SignedIn
let ids: Record<LeadStatus, string>
beforeAll(async () => {
  place = await sqlitePlace()
  const store = await openStore(place.settings)
  await store.migrate()
  ids = await storeLeadOfEachStatus(store)
  await store.close()
  product = await startInProcess({ DATA_DIR: place.settings.dataDir })
  admin = await signIn(product.consoleLink)
  await untilPasses(async () =>
    expect(await textAt('/leads')).toContain(`${leadStatuses.length} leads`),
  )
})
afterAll(async () => {
  await product.stop()
  await place.remove()
})

const textAt = async (path: string) => (await admin.get(path)).text()

test.each([
  '/',
  '/leads',
  '/leads?status=dead&area=business',
  '/leads?status=dead&status=rejected&attempts=1',
  '/leads?status=delivered&state=AK',
  '/leads?status=none&from=then',
  '/leads/none',
  '/deliveries',
  '/deliveries?hours=168',
  '/quarantine',
  '/jobs',
  '/jobs/new',
  '/jobs/new?status=dead',
  '/audit',
  '/audit?action=signed+in',
  '/operators',
  '/account',
  '/keys',
  '/confirm',
  '/nowhere',
])('the console’s page %s', async (path) => {
  const reply = await admin.get(path)
  expect(reply.headers.get('content-type')).toContain('text/html')
  expect(await htmlFaults(reply)).toEqual([])
})

test.each(leadStatuses)('a lead that is %s, and what is asked of it', async (status) => {
  for (const path of ['', '/settle', '/erase']) {
    const reply = await admin.get(`/leads/${ids[status]}${path}`)
    if (reply.status !== 303) expect(await htmlFaults(reply), path).toEqual([])
  }
  expect(await htmlFaults(await admin.post(`/leads/${ids[status]}/reveal`))).toEqual([])
})

test('a job that is planned, started and done, and its leads', async () => {
  const planned = await admin.post('/jobs', { query: 'status=dead', action: 'retry' })
  const job = planned.headers.get('location') ?? ''
  const shown = async (words: string) => {
    await untilPasses(async () => expect(await textAt(job)).toContain(words))
    expect(await htmlFaults(await admin.get(job))).toEqual([])
  }
  await shown('1 lead')
  expect(await htmlFaults(await admin.get(`${job}/start`))).toEqual([])
  await admin.post(`${job}/start`, { reason: 'the school is back', rate: '10' })
  await shown('done')
  expect(await htmlFaults(await admin.get(`${job}/leads`))).toEqual([])
  expect(await htmlFaults(await admin.get('/jobs'))).toEqual([])
})

test('who is not signed in', async () => {
  const nobody = await visitor(admin.origin)
  expect(await htmlFaults(await nobody.get('/sign-in'))).toEqual([])
  const refused = await nobody.post('/sign-in', { email: 'ada@example.com', password: 'x' })
  expect(await htmlFaults(refused)).toEqual([])
})
