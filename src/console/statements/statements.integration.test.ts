import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SignedIn, signIn } from '#tests/console/console-visitor.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'

let product: InProcessProduct
let admin: SignedIn
beforeAll(async () => {
  product = await startInProcess({ ROLE: 'console' })
  admin = await signIn(product.consoleLink)
})
afterAll(() => product.stop())

test('a statement’s file begins with a byte order mark, so that Excel reads it as UTF-8', async () => {
  const fields = { name: 'Zoë Média', ids: 'a7', payout: '', postback: '', notes: '' }
  await admin.post('/affiliates', fields)
  const list = await (await admin.get('/affiliates')).text()
  const [, id] = /\/affiliates\/([\da-f-]{36})/.exec(list) ?? []
  const file = await admin.get(`/statements/${id}/2026-10/csv`)
  expect(file.headers.get('content-disposition')).toContain(`"statement-${id}-2026-10.csv"`)
  expect(Buffer.from(await file.arrayBuffer()).toString()).toMatch(/^\uFEFFaffiliate,month,/)
})
