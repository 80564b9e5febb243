import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '#tests/product/free-port.ts'
import { findAlertFormat, sendAlert } from './send-alert.ts'

async function startChat(status: number, reply = '') {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    bodies.push(await text(request))
    response.writeHead(status).end(reply)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { bodies, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret` }
}

test.each([
  ['https://prod-12.westus.logic.azure.com/workflows/a/triggers?sig=b', 'teams'],
  ['https://prod-12.westus.logic.azure.com:443/workflows/a', 'teams'],
  ['https://Default0123.ab.environment.api.PowerPlatform.com:443/powerautomate', 'teams'],
  ['https://contoso.webhook.office.com/webhookb2/a', 'teams'],
  ['https://contoso.webhook.office.com./webhookb2/a', 'teams'],
  ['https://hooks.slack.com/services/a', 'text'],
  ['https://logic.azure.com.example/a', 'text'],
  ['https://notlogic.azure.com/a', 'text'],
  ['https://x.example/?to=contoso.webhook.office.com', 'text'],
])('%s gets %s', (url, format) => {
  expect(findAlertFormat({ url, format: 'auto' })).toBe(format)
  expect(findAlertFormat({ url, format: 'text' })).toBe('text')
  expect(findAlertFormat({ url, format: 'teams' })).toBe('teams')
})

const alert = [
  'Campus Enquiry, A & B <Online>',
  '',
  'Problem: **Acme** [win](https://evil.example) has <!channel> 3 leads',
  'Console: https://console.example/leads?status=dead&program=3',
].join('\n')

test('Teams gets an Adaptive Card whose text is no Markdown, and a link to the console', async () => {
  const chat = await startChat(202)
  const result = await sendAlert({ url: chat.url, format: 'teams' }, alert)
  expect(result).toEqual({ isAccepted: true, answer: expect.stringMatching(/^HTTP 202; /) })
  const { type, attachments, ...rest } = JSON.parse(chat.bodies[0] ?? '')
  expect([type, rest, attachments.length]).toEqual(['message', {}, 1])
  const { contentType, content } = attachments[0]
  expect(contentType).toBe('application/vnd.microsoft.card.adaptive')
  expect(content).toMatchObject({ type: 'AdaptiveCard', version: '1.4' })
  const runs = content.body.map((block: { type: string; inlines: object[] }) => {
    expect(block.type).toBe('RichTextBlock')
    return block.inlines
  })
  const href = 'https://console.example/leads?status=dead&program=3'
  expect(runs.flat()).toEqual([
    { type: 'TextRun', text: 'Campus Enquiry, A & B <Online>', weight: 'Bolder' },
    { type: 'TextRun', text: alert.split('\n')[2] },
    {
      type: 'TextRun',
      text: `Console: ${href}`,
      selectAction: { type: 'Action.OpenUrl', url: href },
    },
  ])
})

test('Slack gets its three special characters escaped', async () => {
  const chat = await startChat(200, 'ok')
  expect(await sendAlert({ url: chat.url, format: 'auto' }, alert)).toEqual({
    isAccepted: true,
    answer: 'HTTP 200',
  })
  const sent = JSON.parse(chat.bodies[0] ?? '')
  expect(Object.keys(sent)).toEqual(['text'])
  expect(sent.text).toContain('Campus Enquiry, A &amp; B &lt;Online&gt;\n')
  expect(sent.text).toContain('&lt;!channel&gt;')
  expect(sent.text).toContain('?status=dead&amp;program=3')
})

test.each(['text', 'teams'] as const)(
  'a long message as %s stays below Teams’ limit',
  async (format) => {
    const chat = await startChat(202)
    await sendAlert({ url: chat.url, format }, `Problem: ${'🎓&\n'.repeat(10_000)}`)
    const [body = ''] = chat.bodies
    expect(Buffer.byteLength(body)).toBeLessThan(14 * 1024)
    expect(body).toContain('overview lists the rest')
    expect(body).not.toMatch(/\\ud[89ab]..(?!\\ud[c-f])/i)
  },
)

test('a refusal and a missing answer are told as they are, without the webhook’s path', async () => {
  const refused = await startChat(404, 'no_service')
  expect(await sendAlert({ url: refused.url, format: 'text' }, 'x')).toEqual({
    isAccepted: false,
    answer: 'HTTP 404',
  })
  const broken = await startChat(200, 'Webhook message delivery failed with error: HTTP error 413')
  expect(await sendAlert({ url: broken.url, format: 'teams' }, 'x')).toEqual({
    isAccepted: false,
    answer: 'HTTP 200, but Teams refused the message',
  })
  const url = `http://127.0.0.1:${await freePort()}/secret`
  expect(await sendAlert({ url, format: 'auto' }, 'x')).toEqual({
    isAccepted: false,
    answer: 'no answer (ECONNREFUSED)',
  })
})
