import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore, type Store } from '#server/store/open-store.ts'
import { type SignedIn, signIn } from '#tests/console/console-visitor.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'

/** Seven in the morning in New York. */
const now = Date.parse('2026-11-24T12:00:00Z')
const fields = { program: '', affiliate: '', state: '', maxLeads: '', period: 'day' }
const others = { opensAt: '', closesAt: '', blockedStates: '' }

let product: InProcessProduct
let store: Store
let admin: SignedIn

beforeAll(async () => {
  product = await startInProcess({ ROLE: 'console' }, undefined, () => now)
  admin = await signIn(product.consoleLink)
  store = await openStore(product.store)
})
afterAll(async () => {
  await store.close()
  await product.stop()
})

const pageText = async (path: string) =>
  (await (await admin.get(path)).text()).replaceAll('<!-- -->', '')
const post = (form: Record<string, string>) =>
  admin.post('/caps', { ...fields, ...others, ...form })
const claim = () =>
  store.queue.claimDue({ now, leaseUntil: now + 60_000, limit: 10, zone: 'America/New_York' })

test('an admin adds, changes and deletes a cap; its held leads are shown and linked', async () => {
  expect(await pageText('/caps')).toContain('There are no caps: every lead is sent at once.')
  expect((await post({ program: '12', maxLeads: '1' })).status).toBe(303)
  const arrivals = [1, 2].map(() => exampleArrival({ receivedAt: now }))
  for (const arrival of arrivals) await store.intake.accept(arrival)
  expect(await claim()).toHaveLength(1)
  const page = await pageText('/caps')
  expect(page).toContain('1 of 1')
  const [, id = ''] = /\/leads\?held=([\w-]+)/.exec(page) ?? []
  expect(await pageText(`/leads?held=${id}`)).toContain('1 lead')
  expect(await pageText(`/leads?held=${id}`)).toContain('held by a cap')
  expect(await pageText('/deliveries')).toMatch(/held<\/a><\/dt><dd>1</)
  const heldId = arrivals.at(-1)?.lead.id
  expect(await pageText(`/leads/${heldId}`)).toContain(
    'The cap of 1 lead a day is reached. Next attempt:',
  )
  const retried = await admin.post(`/leads/${heldId}/retry`)
  const notices = retried.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  const cookie = [admin.cookie, ...notices].join('; ')
  const after = await (await admin.get(`/leads/${heldId}`, { cookie })).text()
  expect(after).toContain('A cap held the lead until now.')
  expect(after).toContain('unless a cap holds it')
  expect(await claim(), 'the cap holds the lead again').toEqual([])

  expect(await pageText(`/caps?edit=${id}`)).toContain('Change the cap')
  expect((await post({ id, program: '12', maxLeads: '5', period: 'month' })).status).toBe(303)
  const entries = async () => (await pageText('/audit')).split('changed a cap').length
  const before = await entries()
  expect((await post({ id, program: '12', maxLeads: '5', period: 'month' })).status).toBe(303)
  expect(await entries(), 'nothing was changed').toBe(before)
  expect(await pageText('/caps')).toContain('5 leads a month')
  expect(await claim()).toHaveLength(1)
  const confirmation = await pageText(`/caps/${id}/remove`)
  expect(confirmation).toContain('No lead is held.')
  expect(confirmation).toContain('5 leads a month. It has counted 2 leads since the month began.')
  expect(await pageText('/caps'), 'nothing is deleted yet').toContain('5 leads a month')
  expect((await admin.post(`/caps/${id}/remove`)).status).toBe(303)
  expect(await pageText('/caps')).toContain('There are no caps')
  const audit = await pageText('/audit')
  for (const action of ['added a cap', 'changed a cap', 'removed a cap'])
    expect(audit).toContain(action)
  expect(audit).toContain('>program 12: 5 leads a month<')
  expect(audit).toContain('<div>leads at most: 1 → 5</div><div>per: day → month</div>')
})

test('a cap with weekdays and days off holds leads, says until when, and shows its days again', async () => {
  // 2026-11-24 is a Tuesday.
  const days = { weekdays: 'Tue–Fri', holidays: '2026-11-24\r\n2026-11-25' }
  expect((await post({ program: '12', ...days })).status).toBe(303)
  const arrival = exampleArrival({ receivedAt: now })
  await store.intake.accept(arrival)
  expect(await claim()).toHaveLength(0)
  const page = await pageText('/caps')
  expect(page).toContain('on Tue–Fri, not on 2026-11-24, 2026-11-25')
  expect(page).toMatch(/closed until <time[^>]*datetime="2026-11-26T00:00:00.000-05:00/i)
  expect(await pageText(`/leads/${arrival.lead.id}`)).toContain(
    'Leads are sent only on Tue–Fri, not on 2026-11-24, 2026-11-25.',
  )
  const [, id = ''] = /\/leads\?held=([\w-]+)/.exec(page) ?? []
  const form = await pageText(`/caps?edit=${id}`)
  expect(form).toContain('value="Tue–Fri"')
  expect(form).toContain('>2026-11-24\n2026-11-25</textarea>')
  expect(await pageText('/audit')).toContain('not on these days: none → 2026-11-24, 2026-11-25')
  await admin.post(`/caps/${id}/remove`)
})

test('bad input gets an error at its field, and nothing is saved', async () => {
  const typed = { maxLeads: 'lots', opensAt: '25:00', closesAt: '18:00', blockedStates: 'ZZ' }
  const days = { weekdays: 'Caturday', holidays: '2026-12-25\r\n2026-11-31' }
  const reply = await post({
    ...typed,
    ...days,
    program: '9999',
    state: 'Atlantis',
    affiliate: 'nobody',
  })
  expect(reply.status).toBe(422)
  const page = await reply.text()
  const marked = [...page.matchAll(/id="field-(\w+)-error"/g)].map(([, name]) => name)
  const refused = ['blockedStates', 'holidays', 'maxLeads', 'opensAt', 'program', 'state']
  expect(marked.sort()).toEqual([...refused, 'weekdays'])
  expect(page).toContain('“2026-11-31” is not a day')
  expect(page).toContain('value="lots"')
  const unknown = await (await post({ maxLeads: '1', affiliate: 'nobody' })).text()
  expect(unknown).toContain('id="field-affiliate-error"')
  expect(await (await post({})).text()).toContain('id="field-maxLeads-error"')
  expect(await pageText('/caps')).toContain('There are no caps')
})
