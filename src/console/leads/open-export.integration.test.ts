import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore } from '#server/store/open-store.ts'
import { type SignedIn, signIn } from '#tests/console/console-visitor.ts'
import { operatorOf } from '#tests/console/operator-of.ts'
import { until } from '#tests/patience/until.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'

/** As a file, these leads take 12 MB, which is more than the system buffers between two sockets. */
const leads = 1500
const street = 'x'.repeat(8000)

let product: InProcessProduct
let admin: SignedIn
beforeAll(async () => {
  product = await startInProcess({ ROLE: 'console' })
  admin = await signIn(product.consoleLink)
  const store = await openStore(product.store)
  await Promise.all(
    Array.from({ length: leads }, () => store.intake.accept(exampleArrival({ address: street }))),
  )
  await store.close()
  await until(async () => (await (await admin.get('/leads')).text()).includes('1,500 leads'))
})
afterAll(() => product.stop())

/** Starts an export that reads only the first part until `rest` is called. */
async function openExport({ headers, origin, form }: SignedIn) {
  const call = request(`${origin}/leads/export`, {
    method: 'POST',
    headers: { ...headers, origin },
  })
  call.end(form({ query: '', format: 'jsonl' }).toString())
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  call.once('response', resolve).once('error', reject)
  const reply = await promise
  expect(reply.statusCode).toBe(200)
  let text = ''
  reply.setEncoding('utf8')
  await new Promise<void>((first) => {
    reply.once('data', (part) => {
      text += part
      reply.pause()
      first()
    })
  })
  const rest = async () => {
    try {
      for await (const part of reply) text += part
      return { isWhole: true, text }
    } catch {
      return { isWhole: false, text }
    }
  }
  return { rest }
}

const outcomes = () =>
  askStore(
    product.store,
    `select outcome from audit left join audit_outcomes on audit_id = audit.id
     where action = 'exported leads' order by audit.id`,
  )

test('an open export of a disabled admin sends no later leads', async () => {
  const other = await operatorOf(product, admin, 'admin')
  const { rest } = await openExport(other)
  const [row] = await askStore(
    product.store,
    `select operator_id from audit where action = 'exported leads'`,
  )
  expect((await admin.post(`/operators/${row?.operator_id}/disable`)).status).toBe(200)
  const { isWhole, text } = await rest()
  expect(isWhole).toBe(false)
  expect(text.split('\n').length).toBeLessThan(leads)
  await until(async () => (await outcomes())[0]?.outcome !== null)
  expect((await outcomes())[0]?.outcome).toMatch(/^cut off after [\d,]+ leads$/)
})

test('an open export is complete, however late it is read', async () => {
  const { rest } = await openExport(await operatorOf(product, admin, 'admin'))
  const { isWhole, text } = await rest()
  expect(isWhole).toBe(true)
  expect(text.trimEnd().split('\n')).toHaveLength(leads)
})
