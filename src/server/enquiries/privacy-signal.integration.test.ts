import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { doNotSellNotice } from '#content/messages.ts'
import { type ApiVisitor, apiVisitor } from '#tests/product/api-visitor.ts'
import { exampleLead, newKey } from '#tests/product/example-lead.ts'
import { wholeForm } from '#tests/product/posted-form.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { storedLeads } from '#tests/product/stored-leads.ts'

let product: InProcessProduct
let visitor: ApiVisitor
beforeAll(async () => {
  product = await startInProcess({ PIXEL_URL_DEFAULT: '', PIXEL_URL_TECHNOLOGY: '' })
  visitor = await apiVisitor(product.url)
})
afterAll(() => product.stop())

const signal = { 'sec-gpc': '1' }
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(product.url + path, { headers })

describe.each(['/', '/business', '/healthcare'])('the page %s', (path) => {
  test('shows the note only to a browser that sends the signal', async () => {
    const [asking, other] = [await get(path, signal), await get(path)]
    const html = await asking.text()
    expect(html).toContain(doNotSellNotice.heard)
    expect(html).toContain('href="/information/privacy-policy#cookies"')
    expect(html).not.toContain('/pixel/')
    expect(await other.text()).not.toContain(doNotSellNotice.heard)
  })

  test('has its own cache entry and ETag', async () => {
    const tags = new Set<string>()
    for (const headers of [signal, {}] as Record<string, string>[]) {
      for (const encoding of ['br', 'gzip', 'identity']) {
        const requestHeaders = { ...headers, 'accept-encoding': encoding }
        // The second reply comes from the cache.
        for (const reply of [await get(path, requestHeaders), await get(path, requestHeaders)]) {
          expect(reply.headers.get('vary')).toBe('Accept-Encoding, Sec-GPC')
          tags.add(reply.headers.get('etag') ?? '')
        }
      }
    }
    expect(tags.size).toBe(6)
    const etag = (await get(path, signal)).headers.get('etag') ?? ''
    expect((await get(path, { ...signal, 'if-none-match': etag })).status).toBe(304)
    expect((await get(path, { 'if-none-match': etag })).status).toBe(200)
  })
})

test('other values of the header have no effect', async () => {
  expect(await (await get('/business', { 'sec-gpc': '0' })).text()).not.toContain(
    doNotSellNotice.heard,
  )
})

test.each([
  [signal, true],
  [{}, false],
])('a lead sent with %o is kept with that: gpc %s', async (headers, gpc) => {
  const body = exampleLead()
  expect((await visitor.post('leads', body, { ...newKey(), ...headers })).status).toBe(201)
  const [stored] = storedLeads(product.store.dataDir, body.lead.email)
  expect(stored?.payload.gpc).toBe(gpc)
})

test('the posted form shows the note on every step and on the thank-you page, and the lead has the signal', async () => {
  const email = `${randomUUID()}@example.com`
  const form = wholeForm({ email, programId: '15', confirmation: '' })
  const post = (body: Record<string, string>) =>
    fetch(`${product.url}/healthcare`, {
      method: 'POST',
      headers: { ...signal, origin: product.url },
      body: new URLSearchParams(body),
    })
  const refused = await post(form)
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain(doNotSellNotice.heard)
  const thanks = await (await post({ ...form, confirmation: 'on' })).text()
  expect(thanks).toContain('Information Received')
  expect(thanks).toContain(doNotSellNotice.heard)
  expect(thanks).not.toContain('/pixel/')
  expect(storedLeads(product.store.dataDir, email)).toMatchObject([{ payload: { gpc: true } }])
})

test('the site declares that it honors the signal', async () => {
  const reply = await get('/.well-known/gpc.json')
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/)
  expect(await reply.json()).toEqual({
    gpc: true,
    lastUpdate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  })
})
