import { request } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CallResult, sendRequest } from '#server/platform/call/http-call.ts'
import { faultsByService, type SandboxService, sandboxServices } from './faults.ts'
import { type Sandbox, startSandbox } from './start-sandbox.ts'

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = await startSandbox({ port: 0, slowMs: 30 })
})
afterEach(() => sandbox.stop())

/** The client's timeout in milliseconds, which only a call that hangs may reach. */
const timeoutMs = 60_000

const lead = (lastname = 'Ng') => JSON.stringify({ lead: { firstname: 'Ada', lastname } })

const deliver = (body = lead(), ms = timeoutMs): Promise<CallResult> =>
  sendRequest({
    method: 'POST',
    url: `${sandbox.url}/incoming/leads`,
    headers: { 'content-type': 'application/json', 'idempotency-key': 'key-1' },
    body,
    timeoutMs: ms,
  })

const validate = (line: string, ms = timeoutMs): Promise<CallResult> =>
  sendRequest({
    method: 'POST',
    url: `${sandbox.url}/v1:validateAddress?alt=json&key=k`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address: { addressLines: [line] } }),
    timeoutMs: ms,
  })

const get = (path: string, ms = timeoutMs): Promise<CallResult> =>
  sendRequest({ method: 'GET', url: sandbox.url + path, timeoutMs: ms })

const ask: Readonly<Record<SandboxService, (ms?: number) => Promise<CallResult>>> = {
  distributor: (ms) => deliver(lead(), ms),
  'address-validation': (ms) => validate('123 Main St 34236', ms),
  geocoding: (ms) => get('/maps/api/geocode/json?address=34236&key=k', ms),
  'ip-lookup': (ms) => get('/json/203.0.113.7', ms),
}

const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(sandbox.url + path, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { origin: sandbox.url, ...headers },
    redirect: 'manual',
  })

const turn = (service: SandboxService, answer: string) => post('/answers', { service, answer })

const readPage = async () => (await fetch(sandbox.url)).text()

const everyFault = sandboxServices.flatMap((service) =>
  faultsByService[service].map((fault) => ({ service, ...fault })),
)

test.each(everyFault)(
  '$service can be switched to: $description',
  async ({ service, name, answer }) => {
    expect((await turn(service, name)).status).toBe(303)
    const result = await ask[service](answer.kind === 'hang' ? 200 : timeoutMs)
    switch (answer.kind) {
      case 'reply':
        return expect(result).toMatchObject({ status: answer.status, body: answer.body })
      case 'late':
        return expect(result).toMatchObject({ kind: 'answered', status: 200 })
      case 'hang':
        return expect(result).toMatchObject({ kind: 'no-answer', why: 'timeout' })
      default:
        return expect(result).toMatchObject({ kind: 'no-answer', why: 'connection' })
    }
  },
)

test('a chosen fault lasts until somebody chooses another, whatever an input causes', async () => {
  await turn('distributor', '502')
  await deliver(lead('Sandbox-Cap'))
  await turn('distributor', '')
  await deliver(lead('Sandbox-Cap'))
  expect(sandbox.ledger.entries()).toMatchObject([
    { attempt: 1, answered: { fault: 'Sandbox-502', status: 502 } },
    { attempt: 2, answered: { fault: 'Sandbox-Cap', status: 200 } },
  ])
})

test('emptying the ledger does not change the chosen faults', async () => {
  await turn('distributor', '503')
  await fetch(`${sandbox.url}/ledger`, { method: 'DELETE' })
  expect(await deliver()).toMatchObject({ status: 503 })
})

describe('the input of a lookup causes a fault', () => {
  test.each([
    ['a ZIP, Geocoding', () => get('/maps/api/geocode/json?address=99989&key=k')],
    ['a ZIP, Address Validation', () => validate('123 Main St 99989')],
    ['a word in the street', () => validate('123 Sandbox-502 St 34236')],
  ])('%s', async (_, asked) => {
    expect(await asked()).toMatchObject({ status: 502 })
  })
})

describe('the page', () => {
  test('shows each service’s present answer without JavaScript', async () => {
    await turn('distributor', '503')
    const words = 'HTTP 503 with Retry-After: 5, for every call until you switch back'
    expect(await readPage()).toContain(words)
    await turn('distributor', '')
    expect(await readPage()).not.toContain(words)
  })

  test('shows a lead as text, whatever was sent', async () => {
    await deliver(lead('<img src=x onerror=alert(1)>'))
    const page = await readPage()
    expect(page).toContain('Ada &lt;img src=x')
    expect(page).not.toContain('<img')
  })

  test('loads nothing but its own style sheet', async () => {
    const policy = (await fetch(sandbox.url)).headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
  })
})

describe('the sandbox refuses', () => {
  test.each([
    ['of another origin', { origin: 'https://evil.example' }],
    ['of another program of this machine', { origin: 'http://127.0.0.1:1' }],
    ['without an origin', { origin: '', 'sec-fetch-site': 'cross-site' }],
  ])('a post %s', async (_, headers) => {
    const form = { service: 'distributor', answer: '503' }
    expect((await post('/answers', form, headers)).status).toBe(403)
    await deliver()
    expect(sandbox.ledger.entries()).toMatchObject([{ answered: { status: 200 } }])
  })

  test('a public name that resolves to this machine', async () => {
    const { port } = new URL(sandbox.url)
    const status = await new Promise((resolve, reject) => {
      const asked = request(
        { host: '127.0.0.1', port, path: '/ledger', headers: { host: 'evil.example' } },
        (reply) => {
          reply.resume()
          resolve(reply.statusCode)
        },
      )
      asked.on('error', reject).end()
    })
    expect(status).toBe(421)
  })

  test.each([
    { service: 'nobody', answer: '503' },
    { service: 'distributor', answer: 'nothing' },
  ])('a form that is not the page’s: $service $answer', async (form) => {
    expect((await post('/answers', form)).status).toBe(400)
    expect(await deliver()).toMatchObject({ status: 200 })
  })
})

test('a visitor’s text can neither reverse a line nor hide in it', async () => {
  await deliver(lead('\u202egN\u009b\u200b'))
  const html = await readPage()
  expect(html).toContain('\\u202egN\\u009b\\u200b')
  expect(html.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u200b]/u)
})
