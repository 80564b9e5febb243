import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
  '/leads?status=dead&status=rejected&signal=too-fast',
  '/leads?status=delivered&state=AK',
  '/leads?status=none&from=then',
  '/leads/none',
  '/deliveries',
  '/deliveries?hours=168',
  '/quarantine',
  '/returns',
  '/statements',
  '/spend',
  '/webhooks',
  '/jobs',
  '/jobs/new',
  '/jobs/new?status=dead',
  '/audit',
  '/audit?action=signed+in',
  '/operators',
  '/account',
  '/confirm',
  '/confirm?for=reveal+a+lead&to=%2Fleads',
  '/nowhere',
])('the console’s page %s', async (path) => {
  const reply = await admin.get(path)
  expect(reply.headers.get('content-type')).toContain('text/html')
  expect(await htmlFaults(reply)).toEqual([])
})

test.each(leadStatuses)('a %s lead, and its confirmation pages', async (status) => {
  for (const path of ['', '/settle', '/erase']) {
    const reply = await admin.get(`/leads/${ids[status]}${path}`)
    if (reply.status !== 303) expect(await htmlFaults(reply), path).toEqual([])
  }
  expect(await htmlFaults(await admin.post(`/leads/${ids[status]}/reveal`))).toEqual([])
})

test('pages before sign-in', async () => {
  const nobody = await visitor(admin.origin)
  expect(await htmlFaults(await nobody.get('/sign-in'))).toEqual([])
  const refused = await nobody.post('/sign-in', { email: 'ada@example.com', password: 'x' })
  expect(await htmlFaults(refused)).toEqual([])
})

describe('a refused form names each wrong field, links to it and keeps what was typed', () => {
  const long = 'x'.repeat(600)
  const lead = (path: string) => () => `/leads/${ids.rejected}${path}`
  const cases: readonly [
    path: string | (() => string),
    typed: Record<string, string>,
    wrong: readonly string[],
    kept: readonly string[],
  ][] = [
    ['/account/password', { password: 'short pass' }, ['password'], []],
    ['/operators', { email: 'ada@nowhere', role: 'viewer' }, ['email'], ['ada@nowhere', 'viewer']],
    ['/operators', { email: 'ada@nowhere', role: '' }, ['email', 'role'], ['ada@nowhere']],
    ['/deliveries/pause', { reason: long }, ['reason'], [long]],
    ['/deliveries/resume', { reason: long }, ['reason'], [long]],
    ['/leads/search', { search: ' ', query: 'state=FL' }, ['search'], ['FL']],
    ['/leads/views', { name: '', share: 'yes', query: 'state=FL' }, ['name'], ['yes', 'FL']],
    ['/leads/views', { name: long, query: 'state=FL' }, ['name'], [long]],
    [
      () => `/leads/${ids.dead}/settle`,
      { reason: 'they called', restored: '' },
      ['as'],
      ['they called'],
    ],
    [lead('/settle'), { as: 'delivered', reason: long, restored: '' }, ['reason'], [long]],
    [lead('/erase'), { reason: long }, ['reason'], [long]],
    [() => `/leads/${ids.quarantined}/erase?review=`, { reason: long }, ['reason'], [long]],
  ]

  test.each(cases)('%s %j', async (path, typed, wrong, kept) => {
    const reply = await admin.post(typeof path === 'string' ? path : path(), typed)
    await expectRefused(reply, { typed, wrong, kept })
  })

  test.each([
    ['/leads?status=lost&state=Florida', ['status', 'state'], ['lost', 'Florida']],
    ['/audit?subject=(941)+555-0100', ['subject'], ['(941) 555-0100']],
  ])('%s', async (path, wrong, kept) => {
    await expectRefused(await admin.get(path), { typed: {}, wrong, kept })
  })

  test('the start of a job', async () => {
    const planned = await admin.post('/jobs', { query: 'status=rejected', action: 'retry' })
    const job = planned.headers.get('location') ?? ''
    await untilPasses(async () => expect(await textAt(job)).toContain('1 lead'))
    const typed = { reason: long, rate: 'many' }
    const reply = await admin.post(`${job}/start`, typed)
    await expectRefused(reply, { typed, wrong: ['reason', 'rate'], kept: [long, 'many'] })
  })

  test('forms before sign-in', async () => {
    const nobody = await visitor(admin.origin)
    const typed = { email: 'nobody@example.com', password: 'wrong and wrong again' }
    const reply = await nobody.post('/sign-in', typed)
    await expectRefused(reply, { typed, wrong: ['email', 'password'], kept: [typed.email] })
  })

  test('of an operator who authenticates again', async () => {
    await admin.post('/account/password', { password: 'four words nobody says' })
    const typed = { password: 'wrong and wrong again' }
    const reply = await admin.post('/confirm', typed)
    await expectRefused(reply, { typed, wrong: ['password'], kept: [] })
  })
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

interface Refused {
  readonly typed: Readonly<Record<string, string>>
  readonly wrong: readonly string[]
  readonly kept: readonly string[]
}

async function expectRefused(reply: Response, { typed, wrong, kept }: Refused) {
  const page = await reply.clone().text()
  expect(await htmlFaults(reply)).toEqual([])
  expect(reply.status).toBeGreaterThanOrEqual(400)
  expect(page).toContain('<title>Error: ')
  const [, message = ''] =
    /<div [^>]*autofocus=""[^>]*data-summary="">(.*?)<\/div><\/div>/s.exec(page) ?? []
  expect(message).toContain('message-heading')
  expect([...message.matchAll(/href="#field-(\w+)"/g)].map(([, name]) => name)).toEqual(wrong)
  for (const name of wrong) {
    const at = `${page.split(`id="field-${name}"`).length - 1} fields ${name}`
    expect(at).toBe(`1 fields ${name}`)
    expect(page).toContain(`id="field-${name}-error"`)
    expect(page).toMatch(new RegExp(`aria-describedby="[^"]*field-${name}-error`))
  }
  for (const text of kept) expect(page).toContain(`value="${text}"`)
  if (typed.password !== undefined) expect(page).not.toContain(typed.password)
}
