import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addCredential } from '#server/operators/credentials.ts'
import { openStore, type Store } from '#server/store/open-store.ts'
import { type SignedIn, signIn } from '#tests/console/console-visitor.ts'
import { operatorOf } from '#tests/console/operator-of.ts'
import { untilPasses } from '#tests/patience/until.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { settleLead } from '#tests/store/act-on-leads.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'

const now = Date.parse('2026-11-24T17:00:00Z')
const cap = {
  ...{ program: '', affiliate: '', state: '', maxLeads: '', period: 'day' },
  ...{ opensAt: '', closesAt: '', blockedStates: '' },
}
const acme = { name: 'Acme', ids: 'a7', payout: '12.50', notes: 'paid weekly' }

let product: InProcessProduct
let store: Store
let admin: SignedIn

beforeAll(async () => {
  product = await startInProcess({ ROLE: 'console' }, undefined, () => now)
  admin = await signIn(product.consoleLink)
})
afterAll(() => product.stop())
beforeEach(async () => {
  store = await openStore(product.store)
  return () => store.close()
})

const pageText = async (path: string, who = admin) =>
  (await (await who.get(path)).text()).replaceAll('<!-- -->', '')
const accept = (count: number, subId: string) =>
  Promise.all(
    Array.from({ length: count }, () =>
      store.intake.accept(exampleArrival({ receivedAt: now, subId })),
    ),
  )
const claim = (limit = 100) =>
  store.queue.claimDue({ now, leaseUntil: now + 60_000, limit, zone: 'America/New_York' })
/** Settles leads by hand, which enqueues a notification for each destination. */
const settle = async (count: number) => {
  const page = await store.leadReader.page({ now, take: 100 })
  const pending = page.filter(({ status }) => status === 'pending').slice(0, count)
  for (const { lead } of pending) await settleLead(store, lead.id, 'rejected', now)
}

test('the removal of an affiliate is confirmed, with all that is lost and sent, and can be undone from the audit log', async () => {
  const postback = 'http://127.0.0.1:9/?click={click_id}&key=k3y'
  const saved = await admin.post('/affiliates', { ...acme, postback })
  const path = saved.headers.get('location') ?? ''
  const id = path.split('/').at(-1) ?? ''
  await admin.post('/caps', { ...cap, affiliate: id, maxLeads: '2' })
  await admin.post('/caps', { ...cap, program: '12', maxLeads: '7' })
  await accept(14, 'a7')
  expect(await claim()).toHaveLength(2)
  await settle(3)
  const page = await pageText(`${path}/remove`)
  for (const words of [
    'Acme is removed with its ids, payout, postback URL, notes and 1 cap.',
    '9 held leads will be sent now, unless another cap holds them',
    '3 waiting postbacks are not sent.',
    'key=k3y',
    'paid weekly',
    '$12.50',
    '2 leads a day',
  ]) {
    expect(page).toContain(words)
  }
  expect((await admin.get(path)).status, 'nothing is removed yet').toBe(200)
  expect(await claim()).toEqual([])
  expect((await admin.post(`${path}/remove`)).status).toBe(303)
  expect(await claim()).toHaveLength(5)
  const audit = await pageText('/audit?action=removed+an+affiliate')
  expect(audit).toContain('>Acme</a>')
  for (const words of [
    'payout: 12.50 → none',
    'paid weekly → none',
    'key=k3y',
    '2 leads a day → none',
  ])
    expect(audit).toContain(words)
  const operator = await operatorOf(product, admin, 'operator')
  const seen = await pageText('/audit?action=removed+an+affiliate', operator)
  expect(seen).toContain('postback: 127.0.0.1:9 → none')
  expect(seen).not.toContain('k3y')
  expect(await pageText('/audit?action=added+a+cap')).toContain('affiliate Acme: 2 leads a day')
  for (const { id: capId } of await store.database.db.selectFrom('caps').select('id').execute()) {
    await admin.post(`/caps/${capId}/remove`)
  }
})

test('the removal of a revenue is confirmed, with the amount that counts again', async () => {
  const set = (amount: string, startsOn: string) =>
    admin.post('/statements/revenue', { amount, startsOn, program: '' })
  await set('1,052', '2026-11-24')
  await set('60', '2026-12-01')
  expect(await (await set('', '2026-12-02')).text()).toContain('Give an amount; 0.00 is one.')
  const [later = '', first = ''] = [
    ...(await pageText('/statements')).matchAll(/name="value" value="([^"]+)"/g),
  ].map(([, id]) => id)
  const page = await pageText(`/statements/revenue/remove?value=${later}`)
  expect(page).toContain('Leads then get $1,052.00')
  expect(page).toContain('Instead counts: $1,052.00 from Nov 24, 2026, all programs.')
  await admin.post('/statements/revenue/remove', { value: later })
  const last = await pageText(`/statements/revenue/remove?value=${first}`)
  expect(last).toContain('Leads then have no revenue')
})

test('the deletion of a webhook is confirmed, with the number of notifications that are lost', async () => {
  await admin.post('/webhooks', { url: 'http://127.0.0.1:9/crm?token=t0p', rejected: 'on' })
  const { id = '' } =
    (await store.database.db.selectFrom('webhooks').select('id').executeTakeFirst()) ?? {}
  expect(await pageText(`/webhooks/${id}/remove`)).toContain('No notification is waiting.')
  await accept(2, 'b')
  await settle(2)
  expect(await pageText(`/webhooks/${id}/remove`)).toContain(
    '2 waiting notifications will never be sent.',
  )
  await admin.post(`/webhooks/${id}`, {
    url: 'http://127.0.0.1:9/crm?token=t0p',
    returned: 'on',
    sendsPersonalData: 'on',
  })
  await admin.post(`/webhooks/${id}/pause`)
  expect((await admin.get(`/webhooks/${id}`)).status).toBe(200)
  expect((await admin.post(`/webhooks/${id}/remove`)).status).toBe(303)
  expect((await admin.get(`/webhooks/${id}/remove`)).status).toBe(404)
  const [removed, paused, changed, added] = await store.audit.list({ subject: id, take: 9 })
  expect(removed).toMatchObject({
    target: '127.0.0.1:9',
    changes: [
      ['URL', 'http://127.0.0.1:9/crm?token=t0p', ''],
      ['events', 'returned', ''],
      ['personal data', 'yes', ''],
    ],
  })
  expect(paused).toMatchObject({
    target: '127.0.0.1:9',
    changes: [['paused since', '', new Date(now).toISOString()]],
  })
  expect(changed?.changes).toEqual([
    ['events', 'rejected', 'returned'],
    ['personal data', 'no', 'yes'],
  ])
  const secret = JSON.stringify([removed, paused, changed, added])
  expect(secret).not.toContain('whsec')
})

test('a replaced pause and a changed role keep what was before', async () => {
  await admin.post('/deliveries/pause', { reason: 'maintenance' })
  await admin.post('/deliveries/pause', { reason: 'still maintenance' })
  await admin.post('/deliveries/resume', { reason: '' })
  const [resumed] = await store.audit.list({ action: 'resumed deliveries', take: 1 })
  expect(resumed?.changes).toContainEqual(['reason for the pause', 'still maintenance', ''])
  const [again] = await store.audit.list({ action: 'paused deliveries', take: 1 })
  expect(again?.changes).toEqual([['reason for the pause', 'maintenance', 'still maintenance']])
  await operatorOf(product, admin, 'viewer')
  const [{ subject } = { subject: '' }] = await store.audit.list({
    action: 'added an operator',
    take: 1,
  })
  await admin.post(`/operators/${subject}/role`, { role: 'operator' })
  await admin.post(`/operators/${subject}/disable`)
  const [disabled, changed] = await store.audit.list({ subject: subject ?? '', take: 2 })
  expect(changed?.changes).toEqual([['role', 'viewer', 'operator']])
  expect(disabled?.changes).toEqual([['disabled since', '', new Date(now).toISOString()]])
})

test('the removal of a passkey is confirmed; a removed view leads to its leads, so that it can be saved again', async () => {
  const [{ id: own } = { id: '' }] = await store.database.db
    .selectFrom('operators')
    .select('id')
    .execute()
  const passkey = { kind: 'passkey', id: 'key+of/demo=', secret: 'key' } as const
  await addCredential(store.operators.db, passkey, { operatorId: own, at: now })
  const [, url = ''] = /(\/account\/passkeys\/remove)"/.exec(await pageText('/account')) ?? []
  const page = await pageText(`${url}?id=${encodeURIComponent(passkey.id)}`)
  expect(page).toContain('You can no longer sign in with this passkey, your other sessions end')
  expect(page).toContain('no other passkey')
  expect((await admin.get(`${url}?id=unknown`)).headers.get('location')).toBe('/account')
  await admin.post(url, { id: passkey.id })
  const [removed] = await store.audit.list({ action: 'removed a passkey', take: 1 })
  expect(removed?.changes).toEqual([['passkey added', new Date(now).toISOString(), '']])

  await admin.post('/leads/views', { name: 'Vermont', query: 'state=VT' })
  const [, id = ''] =
    /views\/remove".*?name="id" value="([^"]+)"/s.exec(await pageText('/leads?state=VT')) ?? []
  const reply = await admin.post('/leads/views/remove', { id })
  expect(reply.headers.get('location')).toBe('/leads?state=VT')
  const gone = await admin.post('/leads/views/remove', { id })
  expect(gone.headers.get('location')).toBe('/leads')
})

test('the overview says until when caps hold leads, in the school’s time zone', async () => {
  await admin.post('/caps', { ...cap, state: 'VT', maxLeads: '0' })
  await store.intake.accept(exampleArrival({ receivedAt: now, state: 'VT' }))
  await store.intake.accept(exampleArrival({ receivedAt: now, state: 'VT' }))
  await claim()
  await untilPasses(async () =>
    expect(await pageText('/')).toContain('2 leads</a> are held by a cap until tomorrow.'),
  )
})
