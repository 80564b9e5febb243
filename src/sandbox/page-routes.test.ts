import { request } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CallResult, call } from '#server/platform/call/call.ts'
import { until } from '#tests/patience/until.ts'
import { stopClock } from '#tests/third-parties/stop-clock.ts'
import { faultsOf, type Service, services } from './faults.ts'
import { type Sandbox, startSandbox } from './start-sandbox.ts'

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = await startSandbox({ port: 0, slowMs: 30 })
})
afterEach(() => sandbox.stop())

/** The client's timeout in milliseconds, which no call of these tests reaches. */
const timeoutMs = 60_000

const lead = (lastname = 'Ng') => JSON.stringify({ lead: { firstname: 'Ada', lastname } })

const deliver = (body = lead(), key = 'key-1'): Promise<CallResult> =>
  call({
    method: 'POST',
    url: `${sandbox.url}/incoming/leads`,
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body,
    timeoutMs,
  })

const validate = (line: string): Promise<CallResult> =>
  call({
    method: 'POST',
    url: `${sandbox.url}/v1:validateAddress?alt=json&key=k`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address: { addressLines: [line] } }),
    timeoutMs,
  })

const get = (path: string): Promise<CallResult> =>
  call({ method: 'GET', url: sandbox.url + path, timeoutMs })

const ask: Readonly<Record<Service, () => Promise<CallResult>>> = {
  distributor: deliver,
  'address-validation': () => validate('123 Main St 34236'),
  geocoding: () => get('/maps/api/geocode/json?address=34236&key=k'),
  'ip-lookup': () => get('/json/203.0.113.7'),
}

const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(sandbox.url + path, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { origin: sandbox.url, ...headers },
    redirect: 'manual',
  })

const turn = (service: Service, answer: string, calls = '') =>
  post('/answers', { service, answer, calls })

const readPage = async () => (await fetch(sandbox.url)).text()

const everyFault = services.flatMap((service) =>
  faultsOf[service].map((fault) => ({ service, ...fault })),
)

/** Makes a call that gets no reply, and aborts it after it has arrived. */
async function hanging(service: Service): Promise<CallResult> {
  const later = stopClock()
  const result = ask[service]()
  await until(async () => /id="(lead|call)-/.test(await readPage()))
  later(timeoutMs)
  return result
}

test.each(everyFault)('$service can be switched to: $about', async ({ service, name, answer }) => {
  expect((await turn(service, name)).status).toBe(303)
  const result = await (answer.kind === 'hang' ? hanging(service) : ask[service]())
  switch (answer.kind) {
    case 'reply':
      if (answer.body.length < 64 * 1024) {
        return expect(result).toMatchObject({ status: answer.status, body: answer.body })
      }
      return expect(result).toMatchObject({ kind: 'cut-short', why: 'too-large' })
    case 'drip':
      return expect(result).toMatchObject({ kind: 'answered', status: 200 })
    case 'late':
      return expect(result).toMatchObject({ kind: 'answered', status: 200 })
    case 'cut-short':
      return expect(result).toMatchObject({ kind: 'cut-short', status: 200, why: 'connection' })
    case 'hang':
      return expect(result).toMatchObject({ kind: 'no-answer', why: 'timeout' })
    default:
      return expect(result).toMatchObject({ kind: 'no-answer', why: 'connection' })
  }
})

test('a switch holds for as many calls as it was set to', async () => {
  await turn('distributor', '503', '2')
  const statuses = [await deliver(), await deliver(), await deliver()].map(
    (result) => 'status' in result && result.status,
  )
  expect(statuses).toEqual([503, 503, 200])
})

test('a switch holds until it is switched back, and over what an input asks for', async () => {
  await turn('distributor', '502')
  await deliver(lead('Sandbox-Cap'))
  await turn('distributor', '')
  await deliver(lead('Sandbox-Cap'))
  expect(sandbox.ledger.entries()).toMatchObject([
    { attempt: 1, answered: { fault: 'Sandbox-502', askedBy: 'switch', status: 502 } },
    { attempt: 2, answered: { fault: 'Sandbox-Cap', askedBy: 'last name', status: 200 } },
  ])
})

test('emptying the ledger leaves the switches alone', async () => {
  await turn('distributor', '503')
  await fetch(`${sandbox.url}/ledger`, { method: 'DELETE' })
  expect(await deliver()).toMatchObject({ status: 503 })
})

describe('a lookup fails by what is asked', () => {
  test.each([
    ['a ZIP, Geocoding', () => get('/maps/api/geocode/json?address=99989&key=k')],
    ['a ZIP, Address Validation', () => validate('123 Main St 99989')],
    ['a word in the street', () => validate('123 Sandbox-502 St 34236')],
    ['an address', () => get('/json/198.51.100.89')],
  ])('%s', async (_, asked) => {
    expect(await asked()).toMatchObject({ status: 502 })
    expect(await readPage()).toContain('HTTP 502')
  })
})

describe('the page', () => {
  test('says what each service answers now, without JavaScript', async () => {
    await turn('distributor', '503')
    await turn('geocoding', 'Quota', '3')
    const page = await readPage()
    expect(page).toContain('HTTP 503 with Retry-After: 5, for every call until you switch back')
    expect(page).toContain('OVER_QUERY_LIMIT: over the quota, for the next 3 calls')
    await post('/answers', { service: 'distributor', answer: '503', calls: '', normally: '1' })
    expect(await readPage()).not.toContain('for every call until')
  })

  test('shows a lead as text, whatever was sent', async () => {
    await deliver(lead('<img src=x onerror=alert(1)>'))
    const page = await readPage()
    expect(page).toContain('Ada &lt;img src=x')
    expect(page).not.toContain('<img')
  })

  test('shows how often a lead came', async () => {
    await deliver()
    await deliver()
    expect(await readPage()).toMatch(/2 arrivals of 1 lead, 1 repeat/)
  })

  test('shows no key of a lookup', async () => {
    await get('/maps/api/geocode/json?address=34236&key=open-sesame')
    const page = await readPage()
    expect(page).toContain('34236')
    expect(page).not.toContain('open-sesame')
  })

  test('forgets leads and calls', async () => {
    await deliver()
    await ask.geocoding()
    expect((await post('/forget', {})).status).toBe(303)
    expect(await readPage()).not.toMatch(/id="(lead|call)-/)
  })

  test('lets in its own script and style alone', async () => {
    const policy = (await fetch(sandbox.url)).headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toContain('unsafe')
  })
})

describe('what is refused', () => {
  test.each([
    ['of another origin', { origin: 'https://evil.example' }],
    ['of another program of this machine', { origin: 'http://127.0.0.1:1' }],
    ['without an origin', { origin: '', 'sec-fetch-site': 'cross-site' }],
  ])('a post %s', async (_, headers) => {
    const form = { service: 'distributor', answer: '503', calls: '' }
    expect((await post('/answers', form, headers)).status).toBe(403)
    await deliver()
    expect((await post('/forget', {}, headers)).status).toBe(403)
    expect(sandbox.ledger.entries()).toMatchObject([{ answered: { status: 200 } }])
  })

  test('a public name that leads here', async () => {
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
    { service: 'nobody', answer: '503', calls: '' },
    { service: 'distributor', answer: 'nothing', calls: '' },
    { service: 'distributor', answer: '503', calls: '-1' },
  ])('a form that is not the page’s: $service $answer $calls', async (form) => {
    expect((await post('/answers', form)).status).toBe(400)
    expect(await deliver()).toMatchObject({ status: 200 })
  })
})

test('a visitor’s text can neither reverse a line nor hide in it', async () => {
  await deliver(lead('\u202egN\u009b\u200b'))
  await get(`/maps/api/geocode/json?address=${encodeURIComponent('\u202e34236')}&key=k`)
  const html = await readPage()
  expect(html).toContain('\\u202egN\\u009b\\u200b')
  expect(html.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u200b]/u)
})
