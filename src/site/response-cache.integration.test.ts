import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiVisitor } from '#tests/product/api-visitor.ts'
import { exampleLead, newKey } from '#tests/product/example-lead.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'

let product: InProcessProduct

beforeAll(async () => {
  product = await startInProcess()
})

afterAll(() => product.stop())

const visit = (headers: Record<string, string> = {}, path = '/business') =>
  fetch(product.url + path, { headers })

/** Returns the headers that are the same for every visitor. */
const lasting = ({ headers }: Response) =>
  Object.fromEntries(
    [...headers].filter(
      ([name]) => !['set-cookie', 'date', 'connection', 'keep-alive'].includes(name),
    ),
  )

test('the second visitor gets the cached page, with a token of their own', async () => {
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

test('each encoding and each Global Privacy Control signal has its own cached page', async () => {
  const plain = await visit({ 'accept-encoding': 'identity' })
  const packed = await visit({ 'accept-encoding': 'br' })
  expect(packed.headers.get('content-encoding')).toBe('br')
  expect(await packed.text()).toBe(await plain.text())
  expect(await (await visit({ 'accept-encoding': 'br', 'sec-gpc': '1' })).text()).not.toContain(
    'pixel',
  )
  expect(await (await visit({ 'accept-encoding': 'br' })).text()).toContain('pixel')
})

test('an affiliate id in the address is stored even if the page is cached', async () => {
  await visit()
  const reply = await visit({}, '/business?affid=Partner-7')
  expect(reply.headers.get('set-cookie')).toContain('affiliate-id=Partner-7')
})

test('new programs appear on every page and in every call', async () => {
  const [first, second] = product.programs
  if (!first || !second) throw new Error('the catalogue has too few programs')
  const remaining = product.programs.filter(({ id }) => id !== first.id)
  const page = async () => (await visit()).text()
  await visit()
  product.setPrograms([...remaining, { ...second, id: 999, name: 'B.A. Brand New' }])

  for (const html of [await page(), await page()]) {
    expect(html).toContain('B.A. Brand New')
    expect(html).not.toContain(first.name)
  }
  const visitor = await apiVisitor(product.url)
  const listed = await (await visitor.get('programs?take=100')).text()
  expect(listed).toContain('B.A. Brand New')
  expect(listed).not.toContain(first.name)
  const send = (programId: number) =>
    visitor.post('leads', exampleLead({ programId, educationLevel: 790 }), newKey())
  expect((await send(first.id)).status).toBe(422)
  expect((await send(999)).status).toBe(201)
  product.setPrograms(product.programs)
  expect(await page()).toContain(first.name)
})

test('a browser with the current page gets 304', async () => {
  const etag = (await visit()).headers.get('etag') ?? ''
  expect((await visit({ 'if-none-match': etag })).status).toBe(304)
})
