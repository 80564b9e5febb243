import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { sayVerb } from '#tests/cli/say-verb.ts'
import { type SignedIn, signIn } from '#tests/console/console-visitor.ts'
import { operatorOf } from '#tests/console/operator-of.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { askStore } from '#tests/store/ask-store.ts'

/** A chat that answers with a status and keeps the names of the fields that it got. */
async function startChat() {
  const chat = { status: 202, received: [] as string[], url: '' }
  const server = createServer(async (request, response) => {
    chat.received.push(...Object.keys(JSON.parse(await text(request))))
    response.writeHead(chat.status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  chat.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/open-sesame`
  return chat
}

async function start(settings: Record<string, string>): Promise<InProcessProduct> {
  const product = await startInProcess(settings)
  onTestFinished(product.stop)
  return product
}

/** Presses the button, and returns the page that the console then shows. */
async function sendTest(operator: SignedIn): Promise<string> {
  const reply = await operator.post('/alerts/test')
  expect(reply.headers.get('location')).toBe('/')
  const flash = reply.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  const page = await operator.get('/', { cookie: [operator.cookie, ...flash].join('; ') })
  return page.text()
}

const listTests = ({ store }: InProcessProduct) =>
  askStore(
    store,
    "select outcome from audit join audit_outcomes on audit_id = id where action = 'sent a test alert' order by at, id",
  )

test('an operator sends a test alert from the overview or by command, and reads the chat’s answer', async () => {
  const chat = await startChat()
  const settings = { ALERT_WEBHOOK_URL: chat.url, ALERT_WEBHOOK_FORMAT: 'teams' }
  const product = await start(settings)
  const admin = await signIn(product.consoleLink)
  const operator = await operatorOf(product, admin, 'operator')
  const accepted = await sendTest(operator)
  expect(accepted).toContain('The chat accepted the test alert')
  expect(accepted).toContain('HTTP 202; Teams posts the message afterwards')
  expect(accepted).toContain('action="/alerts/test"')
  chat.status = 410
  const refused = await sendTest(operator)
  expect(refused).toContain('The chat did not accept the test alert')
  expect(refused).toContain('HTTP 410')
  const command = await sayVerb(product.store, ['alerts', 'test'], settings)
  expect(command).toMatchObject({ code: 1 })
  expect(command.stderr).toContain('The test was not accepted: HTTP 410.')
  expect(chat.received).toEqual(Array(3).fill(['type', 'attachments']).flat())
  expect(accepted + refused + command.stdout + command.stderr).not.toContain('open-sesame')
  const outcomes = (await listTests(product)).map((row) => Object.values(row)[0])
  expect(outcomes).toEqual([expect.stringMatching(/^HTTP 202; /), 'HTTP 410', 'HTTP 410'])
})

test('without ALERT_WEBHOOK_URL, page and command say what to set; a viewer has no button', async () => {
  const product = await start({})
  const admin = await signIn(product.consoleLink)
  expect(await sendTest(admin)).toContain(
    'Set ALERT_WEBHOOK_URL for this process and for every worker',
  )
  const command = await sayVerb(product.store, ['alerts', 'test'])
  expect(command).toMatchObject({ code: 78 })
  expect(command.stderr).toContain('Set ALERT_WEBHOOK_URL')
  const viewer = await operatorOf(product, admin, 'viewer')
  expect(await (await viewer.get('/')).text()).not.toContain('/alerts/test')
  expect((await viewer.post('/alerts/test')).status).toBe(403)
})
