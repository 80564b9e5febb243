import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Form, postForm, wholeForm } from '#tests/product/posted-form.ts'
import { arrivals, readLedger } from '#tests/product/sandbox-ledger.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { storedLeads } from '#tests/product/stored-leads.ts'
import { runInStore } from '#tests/store/run-in-store.ts'

let product: InProcessProduct
beforeAll(async () => {
  product = await startInProcess()
})
afterAll(() => product.stop())

const post = (form: Form | string, path = '/business', headers: Record<string, string> = {}) =>
  postForm(product.url, form, { path, headers })

const stepOf = (html: string) => /Step (\d) of 4/.exec(html.replaceAll('<!-- -->', ''))?.[1]

describe('the last step', () => {
  test('redirects to the thank-you page with ids only, and the lead is delivered', async () => {
    const form = wholeForm()
    const reply = await post(form)
    expect(reply.status).toBe(303)
    const location = reply.headers.get('location') ?? ''
    expect(location).toMatch(/^\/business\?received=[\da-f-]{36}&program=1$/)
    const thanks = await (await fetch(product.url + location)).text()
    expect(thanks).toContain('Information Received')
    expect(thanks.replaceAll('<!-- -->', '')).toContain(
      'Your request for the B.S. Accounting is saved.',
    )
    expect(thanks).not.toContain('You chose')
    expect(thanks).not.toContain(form.email)
    const [arrival] = await arrivals(product.sandboxUrl, form.email ?? '')
    expect(arrival?.body.lead_education.program_id).toBe(1)
  })

  test('is accepted from a page of 0.3.0, whose controls had other names', async () => {
    const { educationLevel = '', programId = '', ...same } = wholeForm()
    await post({ ...same, previousEducation: educationLevel, desiredProgram: programId })
    expect(await arrivals(product.sandboxUrl, same.email ?? '')).toMatchObject([
      { body: { lead_education: { education_level_id: Number(educationLevel), program_id: 1 } } },
    ])
  })

  test('counts the last of doubled answers, today’s name before a former one, and no unknown answer', async () => {
    const { firstName: _, ...form } = wholeForm({ desiredProgram: '2', veteran: 'yes' })
    const text = new URLSearchParams([['firstName', 'Ada'], ...Object.entries(form)])
    text.append('firstName', 'Grace')
    expect((await post(text.toString())).status).toBe(303)
    const [arrival] = await arrivals(product.sandboxUrl, form.email ?? '')
    expect(arrival?.body).toMatchObject({
      lead: { firstname: 'Grace' },
      lead_education: { program_id: 1 },
    })
    expect(JSON.stringify(storedLeads(product.store.dataDir, form.email ?? ''))).not.toContain(
      'veteran',
    )
  })

  test('posted twice makes one lead', async () => {
    const form = wholeForm()
    const [first, second] = await Promise.all([post(form), post(form)])
    expect([first.status, second.status]).toEqual([303, 303])
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
    expect(await arrivals(product.sandboxUrl, form.email ?? '')).toHaveLength(1)
  })

  test.each([
    ['the cookie’s id', '/', 'partner 7'],
    ['the newer id in the address', '/?AFFID=other', 'other'],
    ['the cookie’s id if the address has none', '/?affid=', 'partner 7'],
  ])('stores as affiliate id %s', async (_, path, subId) => {
    const form = wholeForm()
    await post(form, path, { cookie: 'affiliate-id=partner%207' })
    expect(await arrivals(product.sandboxUrl, form.email ?? '')).toMatchObject([
      { body: { subId } },
    ])
  })

  test('stores the affiliate id in the address if the browser refuses cookies', async () => {
    const form = wholeForm()
    await post(form, '/?affid=other')
    expect(await arrivals(product.sandboxUrl, form.email ?? '')).toMatchObject([
      { body: { subId: 'other' } },
    ])
  })

  test('loads the pixel once, in the browser that sent it, with the lead’s affiliate', async () => {
    const reply = await post(wholeForm(), '/?affid=own')
    const id = new URL(reply.headers.get('location') ?? '', product.url).searchParams.get(
      'received',
    )
    const [sent = ''] = reply.headers.getSetCookie().filter((line) => line.startsWith('received='))
    expect(sent).toMatch(/^received=[\da-f-]{36}; Path=\/; HttpOnly; SameSite=Lax$/)
    const thanks = async (query: string, cookie: string) => {
      const page = await fetch(`${product.url}/?received=${id}${query}`, { headers: { cookie } })
      const html = await page.text()
      expect(html).toContain('Information Received')
      const [, pixel] = /<noscript><img src="([^"]+)"/.exec(html) ?? []
      const isDeleted = page.headers
        .getSetCookie()
        .some((line) => /^received=;.*Max-Age=0/.test(line))
      return { pixel, isDeleted, isScripted: html.includes('"pixelUrl"') }
    }
    const [cookie = ''] = sent.split(';')
    const first = await thanks('&affid=x', `${cookie}; affiliate-id=y`)
    const pixel = `${product.sandboxUrl}/pixel/default.gif?lead=${id}&amp;sub=own`
    expect(first).toEqual({ pixel, isDeleted: true, isScripted: true })
    const none = { pixel: undefined, isScripted: false }
    expect(await thanks('&affid=x', 'affiliate-id=y')).toEqual({ ...none, isDeleted: false })
    const another = await thanks('', `received=${randomUUID()}`)
    expect(another).toEqual({ ...none, isDeleted: true })
  })

  test('shows no thank-you page for a made-up id', async () => {
    for (const id of [randomUUID(), '', "'"]) {
      const reply = await fetch(`${product.url}/?received=${encodeURIComponent(id)}`)
      expect(reply.status).toBe(200)
      expect(await reply.text()).not.toContain('Information Received')
    }
  })
})

describe('the server stores nothing', () => {
  test.each<[string, Form, string]>([
    ['without consent', { confirmation: '' }, '4'],
    ['with a program that the list does not show', { programId: '9999' }, '4'],
    ['with a program of another area', { programId: '70' }, '4'],
    ['with a changed earlier answer', { firstName: '' }, '1'],
    ['with an extra digit in the phone number', { phone: '94155501001' }, '1'],
    ['with an extension', { phone: '941 555 0100 ext. 5' }, '1'],
    ['without city and state', { city: '', state: '' }, '2'],
    ['with a year out of range', { graduatingYear: '1989' }, '3'],
  ])('%s: the page shows the step that needs an answer', async (_, changes, step) => {
    const form = wholeForm(changes)
    const before = (await readLedger(product.sandboxUrl)).length
    const reply = await post(form)
    expect(reply.status).toBe(422)
    expect(reply.headers.get('cache-control')).toBe('private, no-cache')
    const html = await reply.text()
    expect(stepOf(html)).toBe(step)
    expect(html).toContain(form.email)
    // The next enquiry is delivered, so the refused enquiry would have been delivered before it.
    const next = wholeForm()
    await post(next)
    await arrivals(product.sandboxUrl, next.email ?? '')
    expect(await readLedger(product.sandboxUrl)).toHaveLength(before + 1)
  })

  test.each<[string, Record<string, string>]>([
    ['from another site', { origin: 'https://other.example' }],
    ['from a sandboxed frame', { origin: 'null' }],
    ['that the browser calls cross-site', { 'sec-fetch-site': 'cross-site' }],
  ])('from a form %s', async (_, headers) => {
    const reply = await post(wholeForm(), '/', headers)
    expect(reply.status).toBe(403)
  })

  test.each(['gzip', 'br', 'identity, gzip'])('from a form in %s', async (encoding) => {
    expect((await post(wholeForm(), '/', { 'content-encoding': encoding })).status).toBe(415)
  })

  test('from a form over 64 KB', async () => {
    expect((await post(wholeForm({ firstName: 'x'.repeat(64 * 1024) }))).status).toBe(413)
  })
})

test('if the store fails, the page says so and keeps every answer, and the second try is stored', async () => {
  const rename = (from: string, to: string) =>
    runInStore(product.store, `alter table ${from} rename to ${to}`)
  const form = wholeForm()
  await rename('consents', 'consents_gone')
  const refused = await post(form)
  await rename('consents_gone', 'consents')
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('5')
  const page = await refused.text()
  expect(page).toContain('Unable to Submit Information')
  expect(page).toContain('The problem is on our side. The form keeps your answers')
  for (const value of [form.key, form.email, form.phone, form.address]) {
    expect(page).toContain(`value="${value}"`)
  }
  const stored = await post(form)
  expect(stored.status).toBe(303)
})

test('Next leads to the next step, and Back to the previous one', async () => {
  const reply = await post(wholeForm({ step: '0' }))
  expect(reply.status).toBe(200)
  expect(stepOf(await reply.text())).toBe('2')
  const forward = await post(wholeForm({ step: '1', checkedBy: 'nobody', checkedFor: '' }))
  expect(stepOf(await forward.text())).toBe('3')
  const backward = await post(wholeForm({ step: '2', move: 'back', firstName: '' }))
  expect(backward.status).toBe(200)
  expect(stepOf(await backward.text())).toBe('2')
})

test('another area’s button leads the form there, with the affiliate that only the query names', async () => {
  const form = wholeForm({ area: 'business', programId: '' })
  const reply = await post(form, '/?affid=own&program=1&received=x')
  expect(reply.status).toBe(307)
  expect(reply.headers.get('location')).toBe('/business?affid=own')
  const page = await post(form, '/business?affid=own')
  expect(page.status).toBe(200)
  const html = await page.text()
  expect(stepOf(html)).toBe('4')
  expect(html).toContain(`value="${form.email}"`)
  const unknown = await post({ ...form, area: '//other.example' }, '/business')
  expect(unknown.headers.get('location')).toBe('/')
})

test('an error in a hidden field leads to its step and is corrected there', async () => {
  const refused = await post(wholeForm({ state: 'Ponce' }))
  expect(refused.status).toBe(422)
  const html = await refused.text()
  expect(stepOf(html)).toBe('2')
  expect(html).toMatch(/<input(?=[^>]*id="field-state")(?=[^>]*aria-invalid="true")/)
  expect(html).toMatch(/<input type="hidden" name="checkedBy" value="hand"/)
  const checkedFor = /name="checkedFor" value="([^"]*)"/.exec(html)?.[1] ?? ''
  const corrected = await post(wholeForm({ step: '1', state: 'PR', checkedBy: 'hand', checkedFor }))
  expect(stepOf(await corrected.text())).toBe('3')
})

test('numbers and lines are normalized', async () => {
  const form = wholeForm({
    firstName: 'Mary\tAnn',
    lastName: 'O’Brien\u00A0Jr.',
    phone: '+1 (941) 555‑0100',
    zip: '34236-5610',
    graduatingYear: '２０１２',
  })
  expect((await post(form)).status).toBe(303)
  const [arrival] = await arrivals(product.sandboxUrl, form.email ?? '')
  expect(arrival?.body).toMatchObject({
    lead: { firstname: 'Mary Ann', lastname: 'O’Brien Jr.', phone1: '9415550100' },
    lead_address: { zip: '34236' },
    lead_education: { grad_year: 2012 },
  })
})

test.each<[string, Form, string]>([
  ['unknown', { zip: '00000' }, 'Invalid zip code: please enter another value.'],
  ['no street', { address: 'nowhere' }, 'Invalid address: enter street address only.'],
  ['not checked because the service is down', { zip: '99999' }, 'Error validating address: '],
])('an address that is %s is reported on its step', async (_, changes, words) => {
  const reply = await post(wholeForm({ step: '1', city: '', state: '', ...changes }))
  expect(reply.status).toBe(422)
  const html = (await reply.text()).replaceAll('<!-- -->', '')
  expect(stepOf(html)).toBe('2')
  expect(html).toContain(words)
})

test('offline, the form asks once about a street of unusual shape, and stores it as unverified', async () => {
  const offline = await startInProcess({ ADDRESS_CHECK: 'offline' })
  let form = wholeForm({
    ...{ step: '1', city: '', state: '', checkedFor: '', checkedBy: 'nobody' },
    ...{ address: 'BB7 Calle 3', zip: '00956' },
  })
  const asks = async (changes: Form) => {
    const reply = await postForm(offline.url, { ...form, ...changes })
    const html = await reply.text()
    const hidden = html.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)
    const carried = [...hidden].map(([, name, value]) => [name, value])
    form = { ...form, ...changes, ...Object.fromEntries(carried) }
    return `${stepOf(html)} ${html.includes('Is this street right?')}`
  }
  expect(await asks({})).toBe('2 true')
  expect(await asks({})).toBe('3 false')
  expect(await asks({ step: '1' })).toBe('3 false')
  expect(await asks({ step: '1', address: 'Lower Level: 8 Oak St' })).toBe('2 true')
  expect(await asks({})).toBe('3 false')
  expect((await postForm(offline.url, { ...form, step: '3' })).status).toBe(303)
  expect(storedLeads(offline.store.dataDir, form.email ?? '')).toMatchObject([
    { payload: { address: 'Lower Level: 8 Oak St', state: 'PR', addressVerified: false } },
  ])
  await offline.stop()
})

test('typed text is returned as text, never as markup', async () => {
  const html = await (await post(wholeForm({ step: '0', email: '"><script>x</script>' }))).text()
  expect(html).toContain('&quot;&gt;&lt;script&gt;')
  expect(html).not.toContain('<script>x')
})

describe('malformed forms show the first step and never cause a 500', () => {
  test.each<[string, string, string]>([
    ['nothing', '', 'application/x-www-form-urlencoded'],
    ['broken escapes', 'firstName=%E0%A4%A&step=%', 'application/x-www-form-urlencoded'],
    ['names twice', 'step=0&step=1&firstName=a&firstName=b', 'application/x-www-form-urlencoded'],
    ['__proto__', '__proto__=1&constructor=2&step=__proto__', 'application/x-www-form-urlencoded'],
    ['another step', 'step=4', 'application/x-www-form-urlencoded'],
    ['NUL', 'firstName=%00&lastName=%00', 'application/x-www-form-urlencoded'],
    ['JSON', '{"step":"3"}', 'application/json'],
    ['no multipart', 'x', 'multipart/form-data; boundary=y'],
    [
      'a file for a name',
      '--y\r\ncontent-disposition: form-data; name="firstName"; filename="a"\r\n\r\nx\r\n--y--\r\n',
      'multipart/form-data; boundary=y',
    ],
  ])('%s', async (_, body, type) => {
    const reply = await post(body, '/', { 'content-type': type })
    expect(reply.status).toBe(422)
    expect(stepOf(await reply.text())).toBe('1')
  })
})
