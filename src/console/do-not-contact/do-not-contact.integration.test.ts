import { afterAll, beforeAll, expect, test } from 'vitest'
import { revealLimit } from '#domain/operator/permissions.ts'
import { openStore } from '#server/store/open-store.ts'
import { type SignedIn, signIn } from '#tests/console/console-visitor.ts'
import { operatorOf } from '#tests/console/operator-of.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { withDatabase } from '#tests/store/with-database.ts'

let product: InProcessProduct
let admin: SignedIn
let operator: SignedIn
let viewer: SignedIn
beforeAll(async () => {
  product = await startInProcess({ ROLE: 'console' })
  admin = await signIn(product.consoleLink)
  operator = await operatorOf(product, admin, 'operator')
  viewer = await operatorOf(product, admin, 'viewer')
})
afterAll(() => product.stop())

let phones = 9415550100

/** Stores the lead of a new person, unless the given values name a known one. */
async function accept(person: { readonly email?: string; readonly phone?: string } = {}) {
  const store = await openStore(product.store)
  const arrival = exampleArrival({ receivedAt: Date.now(), phone: String(phones++), ...person })
  await store.intake.accept(arrival)
  await store.close()
  return arrival.lead
}

const setSignInsAt = (strong_at: number) =>
  withDatabase(product.store, (db) =>
    db.updateTable('operator_sessions').set({ strong_at }).execute(),
  )

const textOf = async (reply: Response | Promise<Response>) =>
  (await (await reply).text()).replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ')

const pageText = (path: string, who = operator) => textOf(who.get(path))

test('from a lead’s page, a stop says in numbers what it does, and then does it', async () => {
  const lead = await accept()
  await accept({ email: lead.email })
  const page = await (await operator.get(`/leads/${lead.id}`)).text()
  expect(page).toContain('action="/do-not-contact/stop"')
  const question = await pageText(`/do-not-contact/stop?lead=${lead.id}`)
  expect(question).toContain(
    '3 email addresses or phone numbers of the person and in the person’s leads',
  )
  expect(question).toContain('1 other email address or phone number; it may be another person’s')
  expect(question).toContain('2 stored leads have one of them.')
  expect(question).toContain('2 waiting leads are never sent.')
  expect(await pageText(`/leads/${lead.id}`)).not.toContain('Asked not to be contacted')
  const reply = await operator.post('/do-not-contact/stop', { lead: lead.id, reason: 'by phone' })
  expect(reply.headers.get('location')).toBe(`/leads/${lead.id}`)
  const after = await pageText(`/leads/${lead.id}`)
  expect(after).toContain('Not sent: asked not to be contacted')
  expect(after).toContain('Asked not to be contacted')
  expect(after).toContain('stopped contact')
  expect(await pageText(`/leads/${lead.id}`, viewer)).not.toMatch(/asked not|do not contact/i)
  expect(await pageText('/leads?status=do-not-contact')).toContain('2 leads')
  expect((await viewer.get('/leads?status=do-not-contact')).status).toBe(403)
  expect((await viewer.get('/leads?signal=do-not-contact')).status).toBe(403)
})

test('the page of a lead that the distributor accepted doesn’t say that the lead waits', async () => {
  const lead = await accept()
  await operator.post(`/leads/${lead.id}/settle`, { as: 'delivered', reason: '' })
  await operator.post('/do-not-contact/stop', { lead: lead.id, reason: '' })
  const page = await pageText(`/leads/${lead.id}`)
  expect(page).toContain('The distributor has accepted this lead.')
  expect(page).not.toContain('only if an operator releases')
})

test('the release of a listed person’s lead asks first, on its page and in the quarantine', async () => {
  const first = await accept()
  await operator.post('/do-not-contact/stop', { lead: first.id, reason: '' })
  for (const review of [undefined, '']) {
    const lead = await accept({ email: first.email })
    const confirm = `/leads/${lead.id}/release`
    const path = review === undefined ? confirm : '/quarantine/release'
    const fields = { id: lead.id, after: review ?? '' }
    const asked = await operator.post(path, fields)
    const question = asked.headers.get('location') ?? ''
    expect(question).toBe(`/leads/${lead.id}/release${review === undefined ? '' : '?review='}`)
    expect(await pageText(question)).toContain('This person asked not to be contacted')
    expect(await (await operator.get(question)).text()).toContain(`action="${confirm}"`)
    expect(await pageText(`/leads/${lead.id}`), path).toContain('In quarantine')
    expect((await viewer.get(question)).status).toBe(403)
    const answer = {
      confirmed: 'yes',
      reason: `  called, ${review}`,
      ...(review === '' && { review }),
    }
    const refused = await operator.post(confirm, { ...answer, reason: 'x'.repeat(500) })
    expect(await refused.text()).toContain('Nothing was released')
    const released = await operator.post(confirm, answer)
    expect(released.headers.get('location')).toMatch(
      review === undefined ? /^\/leads/ : /released=/,
    )
    expect(await pageText('/audit', admin)).toContain(`called, ${review}`)
    expect(await pageText(`/leads/${lead.id}`), path).not.toContain('In quarantine')
    expect(await pageText(`/leads/${lead.id}`), path).toContain('has released this lead since')
  }
})

test('a search for a person leads to a stop, but a last name does not', async () => {
  const lead = await accept()
  const search = async (text: string) => {
    const reply = await operator.post('/leads/search', { search: text, query: '' })
    return reply.headers.get('location') ?? ''
  }
  const found = await search(lead.email)
  const id = new URL(found, 'http://console.example').searchParams.get('search') ?? ''
  expect(await (await operator.get(found)).text()).toContain(`name="search" value="${id}"`)
  expect(await pageText(`/do-not-contact/stop?search=${id}`)).toContain('1 waiting lead is never')
  const stopped = await operator.post('/do-not-contact/stop', { search: id })
  expect(stopped.headers.get('location')).toBe('/do-not-contact')
  expect(await pageText(`/leads/${lead.id}`)).toContain('Not sent: asked not to be contacted')
  const named = await search(lead.lastName)
  expect(await (await operator.get(named)).text()).not.toContain('action="/do-not-contact/stop"')
  const name = new URL(named, 'http://console.example').searchParams.get('search') ?? ''
  expect((await operator.get(`/do-not-contact/stop?search=${name}`)).status).toBe(404)
})

test('a typed person who has no lead is listed, which only an admin undoes', async () => {
  const person = { email: 'Nobody@Example.com', phone: '(941) 555-0199' }
  const wrong = await operator.post('/do-not-contact/check', { email: 'nobody@', phone: '555' })
  expect(wrong.status).toBe(422)
  expect(await textOf(wrong)).toContain('Enter all 10 digits of the phone number.')
  const question = await operator.post('/do-not-contact/check', person)
  expect(await textOf(question)).toContain('0 stored leads have one of them.')
  await operator.post('/do-not-contact/stop', { ...person, reason: '' })
  const again = await textOf(operator.post('/do-not-contact/check', person))
  expect(again).toContain('; 2 already are')
  const removed = {
    lead: '',
    search: '',
    email: person.email,
    phone: '',
    reason: 'changed their mind',
  }
  const asAdmin = await (await admin.post('/do-not-contact/check', person)).text()
  expect(asAdmin).toMatch(/formaction="\/do-not-contact\/allow"/i)
  expect(again).not.toContain('Allow contact again')
  await setSignInsAt(0)
  const unconfirmed = await textOf(admin.post('/do-not-contact/check', person))
  expect(unconfirmed).toContain('Confirm it’s you to allow contact again')
  expect(unconfirmed).toContain('Afterwards, look the person up again.')
  const who = await admin.post('/do-not-contact/allow', removed)
  expect(await pageText(who.headers.get('location') ?? '', admin)).toContain(
    'without what you typed there',
  )
  await setSignInsAt(Date.now())
  expect((await operator.post('/do-not-contact/allow', removed)).status).toBe(403)
  const allowed = await admin.post('/do-not-contact/allow', removed)
  const notices = allowed.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  const cookie = [admin.cookie, ...notices].join('; ')
  const told = await textOf(admin.get('/do-not-contact', { cookie }))
  expect(told).toContain('Removed from the list: 1 entry')
  const left = await textOf(operator.post('/do-not-contact/check', person))
  expect(left).toContain('; 1 already is')
  const audit = await pageText('/audit', admin)
  expect(audit).toContain('allowed contact again')
  expect(audit.toLowerCase()).not.toContain('nobody@')
})

test('the page says whether somebody is on the list, and since when', async () => {
  const lookup = (email: string, phone = '', who = operator) =>
    who.post('/do-not-contact/check', { email, phone })
  const lead = await accept()
  expect(await (await lookup(lead.email)).text()).toMatch(/<h1[^>]*>Email not on the list</)
  await operator.post('/do-not-contact/stop', { email: lead.email, phone: '', reason: '' })
  const answer = await textOf(lookup(lead.email.toUpperCase(), String(lead.phone)))
  expect(answer).toMatch(/Email on the list since \w+ \d+, \d{4}, phone on the list since/)
  expect((await lookup('')).status).toBe(422)
  expect((await lookup(lead.email, '', viewer)).status).toBe(403)
})

test('a file with a wrong line is refused with the line, and a right one is imported', async () => {
  const lead = await accept()
  const refused = await operator.post('/do-not-contact/import', {
    pasted: `email\n${lead.email}\nada@\n`,
  })
  expect(refused.status).toBe(422)
  const page = await textOf(refused)
  expect(page).toContain('Nothing was imported: 1 value is wrong')
  expect(page).toContain('Line 3: “ada@” is no email address')
  expect(await pageText(`/leads/${lead.id}`)).not.toContain('Not sent: asked')
  await operator.post('/do-not-contact/import', { pasted: `email\n${lead.email}\n` })
  expect(await pageText(`/leads/${lead.id}`)).toContain('Not sent: asked not to be contacted')
  const empty = await textOf(operator.post('/do-not-contact/import', { pasted: '' }))
  expect(empty).toContain('Choose the file, or paste')
})

test('an operator clears a stranger’s phone, whose own leads and entry stay as they are', async () => {
  const stranger = await accept()
  const lead = await accept({ phone: String(stranger.phone) })
  const page = await (await operator.post('/do-not-contact/check', { email: lead.email })).text()
  const found = /name="found" value="([^"]*)"/.exec(page)?.[1] ?? ''
  const boxes = [...page.matchAll(/name="(list-[^"]*)".*?<label[^>]*>([^<]*)</g)]
  expect(boxes).toHaveLength(2)
  const kept = boxes.filter(([, , label]) => label?.includes('@')).map(([, name = '']) => name)
  expect(kept).toHaveLength(1)
  const form = { email: lead.email, found, reason: '' }
  const isListed = async (contact: Record<string, string>) =>
    (await textOf(operator.post('/do-not-contact/check', contact))).includes('on the list since')
  await operator.post('/do-not-contact/stop', form)
  expect(await isListed({ email: lead.email })).toBe(true)
  expect(await isListed({ phone: String(stranger.phone) })).toBe(false)
  expect(await pageText(`/leads/${lead.id}`)).toContain('Not sent: asked not to be contacted')
  expect(await pageText(`/leads/${stranger.id}`)).not.toContain('Not sent: asked')
  const all = Object.fromEntries(boxes.map(([, name = '']) => [name, 'on']))
  await operator.post('/do-not-contact/stop', { ...form, ...all })
  expect(await isListed({ phone: String(stranger.phone) })).toBe(true)
  const [email = ''] = kept
  await admin.post('/do-not-contact/allow', { ...form, [email]: 'on' })
  expect(await isListed({ email: lead.email })).toBe(false)
  expect(await isListed({ email: stranger.email })).toBe(false)
  expect(await isListed({ phone: String(stranger.phone) }), 'was not checked').toBe(true)
})

test('the page of a listed person’s lead in quarantine has one warning', async () => {
  const first = await accept()
  await operator.post('/do-not-contact/stop', { lead: first.id, reason: '' })
  const page = await pageText(`/leads/${(await accept({ email: first.email })).id}`)
  expect(page).toContain('In quarantine: asked not to be contacted')
  expect(page.split('only if an operator releases')).toHaveLength(2)
})

test('a stop of a typed person counts as a search, which has a limit', async () => {
  const asker = await operatorOf(product, admin, 'operator')
  const { email } = await accept()
  const ask = () => asker.post('/do-not-contact/stop', { email, reason: 'x'.repeat(9999) })
  const searches = async () =>
    (await pageText('/audit?action=searched+for+a+person', admin)).split('searched for a person')
  const before = await searches()
  expect(await textOf(ask())).toContain('1 stored lead has')
  expect((await searches()).length).toBeGreaterThan(before.length)
  for (let index = 1; index < revealLimit.most; index++) await ask()
  expect(await textOf(ask())).not.toContain('stored lead')
  await asker.post('/do-not-contact/stop', { email, reason: '' })
  expect(await textOf(operator.post('/do-not-contact/check', { email }))).toContain(
    'not on the list',
  )
})

test('an operator marks whose receivers were told, and the file says by whom', async () => {
  const lead = await accept()
  await operator.post(`/leads/${lead.id}/settle`, { as: 'delivered', reason: '' })
  await operator.post('/do-not-contact/stop', { lead: lead.id, reason: '' })
  const button = `Mark as told: ${lead.id}`
  expect(await (await operator.get('/do-not-contact')).text()).toContain(button)
  expect((await viewer.post('/do-not-contact/told', { id: lead.id })).status).toBe(403)
  const told = await operator.post('/do-not-contact/told', { id: lead.id })
  expect(told.headers.get('location')).toBe('/do-not-contact#sent')
  expect(await (await operator.get('/do-not-contact')).text()).not.toContain(button)
  const file = await (await operator.get('/do-not-contact?csv=sent-before')).text()
  const line = file.split('\r\n').find((one) => one.includes(lead.id))
  expect(line).toMatch(/^[0-9A-Z]{8},.*,the distributor,20\d\d-.*,operator\S+@example\.com$/)
  expect(await pageText('/audit', admin)).toContain('told receivers of a stop')
})
