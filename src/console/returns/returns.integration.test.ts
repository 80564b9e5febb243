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

const importLines = (lines: string) =>
  admin.post('/returns', {
    'column-lead': 'reference',
    'column-date': 'date',
    'column-reason': '',
    pasted: lines,
  })

test('lists the first hundred wrong lines, and says how many more there are', async () => {
  const reply = await importLines(`reference,date\n${'x,2026-11-30\n'.repeat(150)}`)
  expect(reply.status).toBe(422)
  const page = await reply.text()
  expect(page).toContain('Nothing was imported: 150 lines are wrong')
  expect(page).toContain('The page lists the first 100, and leaves out 50 more lines.')
  const [list = ''] = /<ul aria-label="Wrong lines">.*?<\/ul>/s.exec(page) ?? []
  expect(list.match(/<li>/g)).toHaveLength(100)
})

test('refuses a file that is too long, and says what to do', async () => {
  const reply = await importLines('x'.repeat(3 * 1024 * 1024))
  expect(reply.status).toBe(413)
  expect(await reply.text()).toContain('The file is larger than 2 MB. Split it.')
})

test('shows pasted lines again as they were', async () => {
  const pasted = 'reference,Why\r\nx,no answer\r\n'
  const columns = { 'column-lead': 'reference', 'column-date': 'date', 'column-reason': 'Why' }
  const page = await (await admin.post('/returns', { ...columns, pasted })).text()
  expect(page).toContain('>reference,Why\nx,no answer\n</textarea>')
})
