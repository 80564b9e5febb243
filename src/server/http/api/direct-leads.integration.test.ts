import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { listen } from '#server/listen.ts'
import { type ApiVisitor, apiVisitor } from '#tests/product/api-visitor.ts'
import { exampleLead, newKey } from '#tests/product/example-lead.ts'
import { rawConnection } from '#tests/product/raw-connection.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { directLeads } from './direct-leads.ts'

// Other tests run beside these.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

/** Directly, and by the router: any query takes a request there. */
const ways = ['leads', 'leads?by=router']

describe('an enquiry is answered alike, whichever way it takes', () => {
  let product: InProcessProduct
  let visitor: ApiVisitor
  beforeAll(async () => {
    // With built scripts somewhere there are security headers.
    product = await startInProcess({}, import.meta.dirname)
    visitor = await apiVisitor(product.url)
  })
  afterAll(() => product.stop())

  const cases: [string, unknown, () => Record<string, string>][] = [
    ['accepted', exampleLead(), newKey],
    ['incomplete', { ...exampleLead(), lead: {} }, newKey],
    ['without a key', exampleLead(), () => ({})],
    ['without a token', exampleLead(), () => ({ ...newKey(), 'x-xsrf-token': '' })],
    ['from another site', exampleLead(), () => ({ ...newKey(), origin: 'https://other.example' })],
    ['too long', { ...exampleLead(), filler: 'x'.repeat(70_000) }, newKey],
  ]

  test.each(cases)('%s', async (_, body, headers) => {
    const [direct, routed] = await Promise.all(
      ways.map(async (path) => {
        const reply = await visitor.post(path, body, headers())
        const { date, ...kept } = Object.fromEntries(reply.headers)
        const text = (await reply.text()).replace(/[0-9a-f-]{36}/, 'an id')
        return { status: reply.status, headers: kept, text }
      }),
    )
    expect(direct).toEqual(routed)
    expect(direct?.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
  })

  test('a visitor who is gone as soon as all is sent has sent it', async () => {
    const body = JSON.stringify(exampleLead())
    const gone = await rawConnection(product.url)
    const lines = [
      'POST /api/leads HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `Idempotency-Key: ${newKey()['idempotency-key']}`,
      'Cookie: XSRF-TOKEN=x',
      'X-XSRF-TOKEN: x',
    ]
    const before = acceptedBy(product)
    gone.socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
    await vi.waitFor(() => expect(acceptedBy(product)).toBe(before + 1), 10_000)
  })
})

const acceptedBy = ({ logLines }: InProcessProduct): number =>
  logLines.filter((line) => line.includes('lead accepted')).length

test('a fault of ours is a problem without its words, and the log has them', async () => {
  const lines: string[] = []
  const server = await listen({
    fetch: () => new Response(),
    shortcuts: [
      directLeads({
        leadCall: async () => {
          throw new Error('a surprise')
        },
        isSameOrigin: () => true,
        askRouter: () => new Response(),
        log: pino({}, { write: (line) => lines.push(line) }),
      }),
    ],
    host: '127.0.0.1',
    port: 0,
  })
  onTestFinished(() => server.close(100))
  const reply = await fetch(`http://127.0.0.1:${server.port}/api/leads`, {
    method: 'POST',
    headers: { cookie: 'XSRF-TOKEN=x', 'x-xsrf-token': 'x' },
    body: '{}',
  })
  expect(reply.status).toBe(500)
  expect(reply.headers.get('content-type')).toBe('application/problem+json')
  expect(await reply.text()).not.toContain('surprise')
  expect(lines.join()).toContain('a surprise')
})
