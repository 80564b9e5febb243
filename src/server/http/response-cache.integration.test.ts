import { afterAll, beforeAll, expect, test } from 'vitest'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'

let product: InProcessProduct

beforeAll(async () => {
  product = await startInProcess()
})

afterAll(() => product.stop())

const visit = (headers: Record<string, string> = {}, path = '/business') =>
  fetch(product.url + path, { headers })

/** What every visitor hears alike. */
const lasting = ({ headers }: Response) =>
  Object.fromEntries(
    [...headers].filter(
      ([name]) => !['set-cookie', 'date', 'connection', 'keep-alive'].includes(name),
    ),
  )

test('the second visitor of a page hears what the first did, with a token of their own', async () => {
  const [first, second] = [await visit(), await visit()]
  expect(lasting(second)).toEqual(lasting(first))
  expect(await second.text()).toBe(await first.text())
  const tokens = [first, second].map((reply) => reply.headers.get('set-cookie'))
  expect(tokens[0]).toMatch(/^XSRF-TOKEN=\S{36}; Path=\/; SameSite=Lax$/)
  expect(tokens[1]).toMatch(/^XSRF-TOKEN=\S{36}; Path=\/; SameSite=Lax$/)
  expect(tokens[1]).not.toBe(tokens[0])
})

test('a visitor who has a token keeps it', async () => {
  await visit()
  const again = await visit({ cookie: 'XSRF-TOKEN=mine' })
  expect(again.status).toBe(200)
  expect(again.headers.get('set-cookie')).toBeNull()
})

test('each encoding and each signal has its own answer', async () => {
  const plain = await visit({ 'accept-encoding': 'identity' })
  const packed = await visit({ 'accept-encoding': 'br' })
  expect(packed.headers.get('content-encoding')).toBe('br')
  expect(await packed.text()).toBe(await plain.text())
  expect(await (await visit({ 'accept-encoding': 'br', 'sec-gpc': '1' })).text()).not.toContain(
    'pixel',
  )
  expect(await (await visit({ 'accept-encoding': 'br' })).text()).toContain('pixel')
})

test('an affiliate id in the address is kept although the page is known', async () => {
  await visit()
  const reply = await visit({}, '/business?affid=Partner-7')
  expect(reply.headers.get('set-cookie')).toContain('affiliate-id=Partner-7')
})

test('a browser that has the page is told so', async () => {
  const etag = (await visit()).headers.get('etag') ?? ''
  expect((await visit({ 'if-none-match': etag })).status).toBe(304)
})
