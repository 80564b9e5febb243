import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Problem } from '#contract/api-constants.ts'
import { apiVisitor } from '#tests/product/api-visitor.ts'
import { exampleLead, newKey } from '#tests/product/example-lead.ts'
import { postForm, wholeForm } from '#tests/product/posted-form.ts'
import { proofOf } from '#tests/product/solve-challenge.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'

const behindProxy = {
  TRUSTED_PROXIES: '127.0.0.1',
  LEADS_PER_NETWORK: '3',
  LOOKUPS_PER_NETWORK: '3',
}

let tests = 0

/** Makes a client of the product whose addresses under `203.0.113.` belong to a different network in each test. */
const clientOf = async (product: InProcessProduct) => {
  const own = `203.0.${tests++}.`
  const visitor = await apiVisitor(product.url)
  const from = (ip: string) => ({ 'x-forwarded-for': ip.replace('203.0.113.', own) })
  const limitedSoFar = async (what: string) => {
    const text = await (await fetch(`${product.url}/metrics`)).text()
    const counted = new RegExp(`requests_limited_total\\{what="${what}"\\} (\\d+)`).exec(text)
    return Number(counted?.[1] ?? 0)
  }
  const before = { lead: await limitedSoFar('lead'), lookup: await limitedSoFar('lookup') }
  return {
    /** Sends an enquiry as the form does, and solves the proof of work if the server asks for it. */
    send: async (ip: string, key = newKey(), body: object = exampleLead()) => {
      const send = (more: object = {}) =>
        visitor.post('leads', { ...body, ...more }, { ...key, ...from(ip) })
      const reply = await send()
      if (reply.status !== 429) return reply
      const { challenge }: Problem = await reply.clone().json()
      return challenge === undefined ? reply : send({ altcha: await proofOf(challenge) })
    },
    lookUp: (ip: string) => visitor.get('zip-lookups/34236', from(ip)),
    validate: (ip: string) =>
      visitor.post('address-validations', { address: '123 Main St', zip: '34236' }, from(ip)),
    post: (ip: string, form = wholeForm()) => postForm(product.url, form, { headers: from(ip) }),
    limited: async (what: 'lead' | 'lookup') => (await limitedSoFar(what)) - before[what],
  }
}

const statuses = async (calls: readonly (() => Promise<Response>)[]) => {
  const all: number[] = []
  for (const call of calls) all.push((await call()).status)
  return all
}

const times = <Call>(count: number, call: Call): Call[] => Array<Call>(count).fill(call)

/** All tests share one product, because each test uses its own networks. */
let limiting: InProcessProduct
beforeAll(async () => {
  // Rate limits use `performance.now()`, so time stands still however long a test takes.
  vi.useFakeTimers({ toFake: ['performance'] })
  limiting = await startInProcess(behindProxy)
})
afterAll(async () => {
  await limiting.stop()
  vi.useRealTimers()
})
const start = () => clientOf(limiting)

describe('leads of one network', () => {
  test('are accepted up to the limit; then the reply says when to retry, and others continue', async () => {
    const site = await start()
    expect(await statuses(times(3, () => site.send('203.0.113.1')))).toEqual([201, 201, 201])
    const refused = await site.send('203.0.113.1')
    expect(refused.status).toBe(429)
    // A third of the ten minutes, in seconds.
    expect(refused.headers.get('retry-after')).toBe('200')
    expect(refused.headers.get('content-type')).toBe('application/problem+json')
    expect(await refused.json()).toMatchObject({
      status: 429,
      title: 'Too Many Requests',
      detail: expect.stringContaining('try again in 4 minutes'),
    } satisfies Partial<Record<keyof Problem, unknown>>)
    expect((await site.send('203.0.113.2')).status).toBe(201)
    expect(await site.limited('lead')).toBe(1)
  })

  test('concurrent requests do not pass the limit', async () => {
    const site = await start()
    const replies = await Promise.all(times(10, 0).map(() => site.send('203.0.113.1')))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(7)
  })

  test('a /64 is one network, and every spelling of an IPv4 address is the same', async () => {
    const site = await start()
    const v6 = ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::', '2001:db8::3'].map(
      (ip) => () => site.send(ip),
    )
    expect(await statuses(v6)).toEqual([201, 201, 201, 429])
    expect((await site.send('2001:db8:0:1::1')).status).toBe(201)
    const v4 = ['198.51.100.9', '::ffff:198.51.100.9', '::ffff:c633:6409', '198.51.100.9'].map(
      (ip) => () => site.send(ip),
    )
    expect(await statuses(v4)).toEqual([201, 201, 201, 429])
  })

  test('rejected and repeated enquiries do not count', async () => {
    const site = await start()
    const [key, lead] = [newKey(), exampleLead()]
    const wrong = exampleLead({ phone: '1' })
    expect(await statuses(times(5, () => site.send('203.0.113.1', newKey(), wrong)))).toEqual(
      times(5, 422),
    )
    expect(await statuses(times(5, () => site.send('203.0.113.1', key, lead)))).toEqual([
      201, 200, 200, 200, 200,
    ])
    expect(await statuses(times(3, () => site.send('203.0.113.1')))).toEqual([201, 201, 429])
  })

  test('a forged header does not avoid the limit', async () => {
    const site = await start()
    const from = [1, 2, 3, 4].map((n) => () => site.send(`198.51.100.${n}, 203.0.113.1`))
    expect(await statuses(from)).toEqual([201, 201, 201, 429])
  })

  test('the posted form says when to try again, and keeps every answer', async () => {
    const site = await start()
    expect(await statuses(times(3, () => site.post('203.0.113.1')))).toEqual([303, 303, 303])
    const form = wholeForm()
    const refused = await site.post('203.0.113.1', form)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('200')
    expect(refused.headers.get('cache-control')).toBe('private, no-cache')
    const page = await refused.text()
    expect(page).toContain('Unable to Submit Information')
    expect(page).toContain('Please try again in 4 minutes')
    for (const value of [form.key, form.email, form.phone, form.address]) {
      expect(page).toContain(`value="${value}"`)
    }
    expect((await site.post('203.0.113.2', form)).status).toBe(303)
  })

  test('a limit of 0 means no limit', async () => {
    const product = await startInProcess({ ...behindProxy, LEADS_PER_NETWORK: '0' })
    onTestFinished(product.stop)
    const site = await clientOf(product)
    expect(await statuses(times(8, () => site.send('203.0.113.1')))).toEqual(times(8, 201))
  })
})

describe('lookups of one network', () => {
  test('get 429 above the limit, but other networks do not', async () => {
    const site = await start()
    const mixed = [site.lookUp, site.validate, site.lookUp, site.lookUp, site.validate]
    expect(await statuses(mixed.map((call) => () => call('203.0.113.1')))).toEqual([
      200, 200, 200, 429, 429,
    ])
    const refused = await site.lookUp('203.0.113.1')
    expect(refused.headers.get('retry-after')).toBe('200')
    expect(refused.headers.get('content-type')).toBe('application/problem+json')
    expect((await site.lookUp('203.0.113.2')).status).toBe(200)
    expect(await site.limited('lookup')).toBe(3)
  })

  test('above the limit, the posted form asks for city and state', async () => {
    const site = await start()
    await statuses(times(3, () => site.lookUp('203.0.113.1')))
    const unchecked = { step: '1', checkedFor: '', checkedBy: 'nobody', city: '', state: '' }
    const reply = await site.post('203.0.113.1', wholeForm(unchecked))
    expect(reply.status).toBe(422)
    const page = (await reply.text()).replaceAll('<!-- -->', '')
    expect(page).toContain('Please enter or check your city and state, then select Next.')
    expect(page).toMatch(/<input[^>]*name="city"/)
    expect((await site.send('203.0.113.1')).status).toBe(201)
  })
})

describe('requests from this machine are not limited', () => {
  const tight = { LEADS_PER_NETWORK: '1', LOOKUPS_PER_NETWORK: '1' }
  let product: InProcessProduct
  beforeAll(async () => {
    product = await startInProcess(tight)
  })
  afterAll(() => product.stop())
  const warnings = () => product.logLines.filter((line) => line.includes('TRUSTED_PROXIES'))

  test.each<[string, Record<string, string>]>([
    ['directly', {}],
    ['through a proxy that nobody declared', { 'x-forwarded-for': '203.0.113.1' }],
  ])('%s', async (_, headers) => {
    const visitor = await apiVisitor(product.url)
    const send = () => visitor.post('leads', exampleLead(), { ...newKey(), ...headers })
    const lookUp = () => visitor.get('zip-lookups/34236', headers)
    expect(await statuses([...times(5, send), ...times(5, lookUp)])).toEqual([
      ...times(5, 201),
      ...times(5, 200),
    ])
    expect(warnings()).toEqual([])
  })
})
