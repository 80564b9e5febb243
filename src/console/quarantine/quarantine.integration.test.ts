import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore, type Store } from '#server/store/open-store.ts'
import { type SignedIn, signIn } from '#tests/console/console-visitor.ts'
import { operatorOf } from '#tests/console/operator-of.ts'
import { untilPasses } from '#tests/patience/until.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'

let product: InProcessProduct
let store: Store
let admin: SignedIn
/** The ids of the quarantined leads, oldest first. */
let ids: string[]
let now = Date.now()

beforeAll(async () => {
  product = await startInProcess({ ROLE: 'console' }, undefined, () => now)
  admin = await signIn(product.consoleLink)
  store = await openStore(product.store)
  ids = []
  for (let index = 0; index < 4; index++) {
    const arrival = exampleArrival({
      receivedAt: now - 60_000 + index,
      firstName: 'Grace',
      email: `grace${index % 2}@example.com`,
      phone: `94155501${10 + (index % 2)}`,
      program: { ...exampleArrival().lead.program, id: index + 1 },
    })
    await store.intake.accept({ ...arrival, signals: ['honeypot-filled'], isQuarantined: true })
    ids.push(arrival.lead.id)
  }
  await untilPasses(async () => expect(await pageAt('/leads')).toContain('4 leads'))
})
afterAll(async () => {
  await store.close()
  await product.stop()
})

const pageAt = async (path: string, who = admin) => (await who.get(path)).text()
const statusOf = async (id: string) => (await store.leadReader.find(id, now))?.status
const id = (index: number) => ids[index] ?? ''
/** Returns the id of the lead that the quarantine page shows. */
const shownIn = (page: string) => /action="\/leads\/([\w-]+)\/erase"/.exec(page)?.[1]

test('shows the oldest, masked, with the reasons why it waits and the person’s other leads', async () => {
  const page = await pageAt('/quarantine')
  expect(page).toContain('<h1>Quarantine</h1>')
  expect(page).toContain('4 in quarantine')
  expect(shownIn(page)).toBe(id(0))
  expect(page).toContain('A hidden field was filled in')
  expect(page).toContain('0 accepted, 1 in quarantine.')
  for (const personal of ['Grace', 'grace0@', '9415550110']) expect(page).not.toContain(personal)
})

test('a released lead waits for two minutes, and the release can be undone until then', async () => {
  const reply = await admin.post('/quarantine/release', { id: id(0), after: '' })
  expect(reply.headers.get('location')).toBe(`/quarantine?released=${id(0)}`)
  const next = await pageAt(`/quarantine?released=${id(0)}`)
  expect(shownIn(next)).toBe(id(1))
  expect(next).toContain('3 in quarantine')
  expect(next).toContain(`aria-label="Undo: ${id(0)}"`)
  await admin.post('/quarantine/release', { id: id(1) })

  await admin.post('/quarantine/undo', { id: id(1) })
  const claim = () => store.queue.claimDue({ now, leaseUntil: now + 1, limit: 5 })
  now += 119_000
  expect(await claim()).toEqual([])
  now += 1_000
  expect((await claim()).map(({ lead }) => lead.id)).toEqual([id(0)])
  expect(await statusOf(id(1))).toBe('quarantined')
  const audit = await pageAt(`/audit?subject=${id(1)}`)
  expect(audit).toMatch(/undid a release.*stays in quarantine/s)

  const late = await admin.post('/quarantine/undo', { id: id(0) })
  const noticeCookies = late.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  const cookie = [admin.cookie, ...noticeCookies].join('; ')
  expect(await (await admin.get('/quarantine', { cookie })).text()).toContain('Too late')
})

test('a skipped lead is left out, and comes again after a new start', async () => {
  const page = await pageAt('/quarantine')
  expect(shownIn(page)).toBe(id(1))
  const place = /name="after" value="(\d+_[\w-]+)"/.exec(page)?.[1]
  expect(shownIn(await pageAt(`/quarantine?after=${place}`))).toBe(id(2))
  const last = `${now}_${id(3)}`
  expect(await pageAt(`/quarantine?after=${last}`)).toContain(
    'Leads that you skipped stay in quarantine.',
  )
  const wrong = await admin.get('/quarantine?after=nobody@example.com')
  expect(wrong.status).toBe(400)
  expect(await wrong.text()).toContain('The URL isn’t valid')
})

test('a reveal shows the person’s data in that reply only; after an erasure, the next lead follows', async () => {
  const revealed = await (await admin.post('/quarantine/reveal', { id: id(1), after: '' })).text()
  expect(revealed).toContain('grace1@example.com')
  expect(await pageAt('/quarantine')).not.toContain('grace1@example.com')
  expect(await pageAt(`/audit?subject=${id(1)}&action=revealed+a+lead`)).toContain('shown')

  expect(await pageAt(`/leads/${id(1)}/erase?review=`)).toContain('This cannot be undone')
  const reply = await admin.post(`/leads/${id(1)}/erase`, { reason: 'spam', review: '' })
  expect(reply.headers.get('location')).toBe('/quarantine')
  expect(await statusOf(id(1))).toBe('erased')
  expect(shownIn(await pageAt('/quarantine'))).toBe(id(2))
})

test('says that the person of a lead that waited before is on the list by now', async () => {
  expect(await pageAt('/quarantine')).not.toContain('Asked not to be contacted')
  // The lease of the same person's lead is over, so the stop doesn't wait for it.
  now += 1000
  await admin.post('/do-not-contact/stop', { lead: id(2), reason: '' })
  const page = await pageAt('/quarantine')
  expect(shownIn(page)).toBe(id(2))
  expect(page).toContain('Asked not to be contacted')
  expect(page).toContain('</em> asks you first')
})

test('a viewer sees the leads without the decisions', async () => {
  const viewer = await operatorOf(product, admin, 'viewer')
  const page = await pageAt('/quarantine', viewer)
  expect(page).toContain('Why it waits')
  // A viewer could otherwise submit an enquiry with a guessed phone number, and read whether it is known.
  expect(page).not.toContain('Other leads')
  expect(page).not.toContain('Asked not to be contacted')
  expect(page).not.toMatch(/action="\/quarantine\/(release|undo|reveal)"/)
  for (const act of ['release', 'undo', 'reveal']) {
    expect((await viewer.post(`/quarantine/${act}`, { id: id(2) })).status, act).toBe(403)
  }
  expect(await statusOf(id(2))).toBe('quarantined')
})
