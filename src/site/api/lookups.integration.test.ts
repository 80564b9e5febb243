import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type ApiVisitor, apiVisitor } from '#tests/product/api-visitor.ts'
import { freePort } from '#tests/product/free-port.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'

const unavailable = {
  type: 'about:blank',
  title: 'Service Unavailable',
  status: 503,
  detail: 'The address service is not available right now.',
}

let product: InProcessProduct
let visitor: ApiVisitor
beforeAll(async () => {
  product = await startInProcess({ TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' })
  visitor = await apiVisitor(product.url)
})
afterAll(() => product.stop())

describe('the zip lookup', () => {
  const lookUp = (zip: string) => visitor.get(`zip-lookups/${zip}`)

  test('finds city and state', async () => {
    const reply = await lookUp('34236')
    expect(reply.status).toBe(200)
    expect(await reply.json()).toEqual({ status: 'OK', city: 'Sarasota', state: 'FL' })
  })

  test('reports an unknown ZIP', async () => {
    const reply = await lookUp('00000')
    expect(reply.status).toBe(200)
    expect(await reply.json()).toEqual({ status: 'ZERO_RESULTS' })
  })

  test.each([
    ['over its limit', '99999', 'quota'],
    ['refuses our key', '99998', 'refused-key'],
    ['down', '99997', 'down'],
  ])(
    'is unavailable if the service is %s, and the log gives the reason',
    async (_, zip, reason) => {
      product.logLines.length = 0
      const reply = await lookUp(zip)
      expect(reply.status).toBe(503)
      expect(reply.headers.get('content-type')).toBe('application/problem+json')
      expect(await reply.json()).toEqual(unavailable)
      const [line = '{}'] = product.logLines
      expect(JSON.parse(line)).toMatchObject({ service: 'zip lookup', reason })
      expect(line).not.toContain(zip)
      // A second visitor with the same failure adds no log line.
      expect((await lookUp(zip)).status).toBe(503)
      expect(product.logLines).toHaveLength(1)
    },
  )

  test.each(['3423', '342366', 'abcde', '34236-5610', '%E0%A4%A', '３４２３６'])(
    'refuses %s by its rule',
    async (zip) => {
      const reply = await lookUp(zip)
      expect(reply.status).toBe(422)
      expect(await reply.json()).toMatchObject({
        errors: [{ field: 'zip', message: 'Enter 5 digits.' }],
      })
    },
  )
})

test('every call of a third party is counted, and a ZIP is asked for once', async () => {
  const counted = await startInProcess()
  const caller = await apiVisitor(counted.url)
  const zips = ['34236', '34236', '10001', '00000', '00000', '99998', '99998', '99997']
  for (const zip of zips) await caller.get(`zip-lookups/${zip}`)
  await Promise.all(Array.from({ length: 5 }, () => caller.get('zip-lookups/60601')))
  await caller.post('address-validations', { address: '123 Main St', zip: '99999' })
  const text = await (await fetch(`${counted.url}/metrics`)).text()
  const counts = text.split('\n').filter((line) => line.startsWith('third_party_calls_total{'))
  const lines = counts.filter((line) => !line.endsWith(' 0'))
  expect(lines.sort()).toEqual([
    'third_party_calls_total{service="address-validation",outcome="quota"} 1',
    'third_party_calls_total{service="geocoding",outcome="answered"} 4',
    'third_party_calls_total{service="geocoding",outcome="down"} 2',
    'third_party_calls_total{service="geocoding",outcome="refused-key"} 2',
  ])
  await counted.stop()
})

describe('the address validation', () => {
  const validate = (address: string, zip: string) =>
    visitor.post('address-validations', { address, zip })
  const found = async (address: string, zip: string) => {
    const reply = await validate(address, zip)
    expect(reply.status).toBe(200)
    return reply.json()
  }

  test('gives the address as the service found it', async () => {
    expect(await found(' 123 Main St ', '34236')).toEqual({
      result: {
        address: {
          postalAddress: {
            addressLines: ['123 Main St'],
            postalCode: '34236-5610',
            administrativeArea: 'FL',
            locality: 'Sarasota',
          },
        },
      },
    })
  })

  test('returns the doubts about the street with the address', async () => {
    expect(await found('1 REPLACE St', '34236')).toMatchObject({
      result: { address: { postalAddress: { addressLines: ['1 Replaced St'] } } },
    })
    const doubts = async (street: string) => (await found(street, '34236')).result.doubts
    expect(await doubts('1 REPLACE St')).toEqual(['street-corrected'])
    expect(await doubts('1 NOUNIT St')).toEqual(['unit-missing'])
    expect(await doubts('1 UNKNOWN St')).toEqual(['street-unknown'])
    expect(await doubts('1 CONFIRM St')).toBeUndefined()
  })

  test('leaves out fields that were not found', async () => {
    expect(await found('nowhere', '34236')).toEqual({
      result: {
        address: {
          postalAddress: { postalCode: '34236', administrativeArea: 'FL', locality: 'Sarasota' },
        },
      },
    })
    expect(await found('nowhere', '00000')).toEqual({ result: { address: { postalAddress: {} } } })
  })

  test.each(['99999', '99998', '99997'])(
    'is unavailable where the service is (%s)',
    async (zip) => {
      const reply = await validate('123 Main St', zip)
      expect(reply.status).toBe(503)
      expect(await reply.json()).toEqual(unavailable)
    },
  )

  test('refuses an invalid address with each field’s rule', async () => {
    const reply = await visitor.post('address-validations', { address: ' ', zip: '1' })
    expect(reply.status).toBe(422)
    expect(await reply.json()).toMatchObject({
      errors: [
        { field: 'address', message: 'Enter a street.' },
        { field: 'zip', message: 'Enter 5 digits.' },
      ],
    })
    expect((await validate('x'.repeat(201), '34236')).status).toBe(422)
    expect((await visitor.post('address-validations', '{')).status).toBe(400)
    const asText = { 'content-type': 'text/plain' }
    expect((await visitor.post('address-validations', {}, asText)).status).toBe(415)
  })

  test('needs no Idempotency-Key, but the XSRF token', async () => {
    const reply = await visitor.post(
      'address-validations',
      { address: '1 A St', zip: '34236' },
      { 'X-XSRF-TOKEN': '' },
    )
    expect(reply.status).toBe(403)
  })
})

describe('the visitor’s IP address', () => {
  const addressSeen = async (forwarded?: string, of = visitor) => {
    const reply = await of.get('ip-address', forwarded ? { 'x-forwarded-for': forwarded } : {})
    expect(reply.status).toBe(200)
    return reply.json()
  }

  test.each([
    [undefined, '127.0.0.1'],
    ['203.0.113.7', '203.0.113.7'],
    ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['198.51.100.1, 203.0.113.7, 10.1.2.3', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['unknown', '127.0.0.1'],
    ['203.0.113.7, <script>', '127.0.0.1'],
    [',', '127.0.0.1'],
  ])('behind a trusted proxy that says %s is %s', async (forwarded, IPv4) => {
    expect(await addressSeen(forwarded)).toEqual({ IPv4 })
  })

  describe('with an IP service', () => {
    let other: InProcessProduct
    afterEach(() => other.stop())
    const startWith = async (variables: Record<string, string>) => {
      other = await startInProcess(variables)
      return apiVisitor(other.url)
    }

    test('is the fallback if the IP service does not know the address', async () => {
      const by = await startWith({ TRUSTED_PROXIES: '127.0.0.1', FALLBACK_IP: '198.51.100.9' })
      for (const unknown of ['192.0.2.44', '2001:db8::7']) {
        expect(await addressSeen(unknown, by)).toEqual({ IPv4: '198.51.100.9' })
      }
    })

    test('is the connection’s if no proxy is trusted, whatever a header contains', async () => {
      const by = await startWith({})
      expect(await addressSeen('203.0.113.7', by)).toEqual({ IPv4: '127.0.0.1' })
      const reply = await by.get('ip-address', {
        forwarded: 'for=203.0.113.7',
        'x-real-ip': '203.0.113.7',
        'x-forwarded-for': '203.0.113.7',
      })
      expect(await reply.json()).toEqual({ IPv4: '127.0.0.1' })
    })

    test('is the address as seen if the IP service is down or not configured', async () => {
      for (const IP_LOOKUP_URL of [`http://127.0.0.1:${await freePort()}/json/{ip}`, '']) {
        const by = await startWith({ TRUSTED_PROXIES: '127.0.0.1', IP_LOOKUP_URL })
        expect(await addressSeen('192.0.2.44', by)).toEqual({ IPv4: '192.0.2.44' })
        if (IP_LOOKUP_URL !== '') await other.stop()
      }
    })
  })
})

test('services that cannot be reached are unavailable, not the visitor’s fault', async () => {
  const nobody = `http://127.0.0.1:${await freePort()}`
  const lonely = await startInProcess({ GEOCODING_URL: nobody, ADDRESS_VALIDATION_URL: nobody })
  const caller = await apiVisitor(lonely.url)
  expect((await caller.get('zip-lookups/34236')).status).toBe(503)
  const body = { address: '123 Main St', zip: '34236' }
  expect((await caller.post('address-validations', body)).status).toBe(503)
  await lonely.stop()
})

test('offline, addresses are checked without any service', async () => {
  const offline = await startInProcess({ ADDRESS_CHECK: 'offline' })
  const caller = await apiVisitor(offline.url)
  expect(await (await caller.get('zip-lookups/34236')).json()).toEqual({
    status: 'OK',
    city: 'Sarasota',
    state: 'FL',
  })
  expect(await (await caller.get('zip-lookups/00000')).json()).toEqual({ status: 'ZERO_RESULTS' })
  await offline.stop()
})
