import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError, type CallOptions, apiClient as client } from './api-client.ts'

const fetched = vi.fn<typeof fetch>()

beforeEach(() => {
  fetched.mockReset()
  fetched.mockImplementation(async () => Response.json({}))
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('location', { protocol: 'http:' })
  vi.stubGlobal('document', { cookie: 'other=1; XSRF-TOKEN=to%2Fken; XSRF-TOKEN-2=x' })
})
afterEach(() => vi.unstubAllGlobals())

const lastUrl = () => fetched.mock.lastCall?.[0]
const lastInit = () => fetched.mock.lastCall?.[1] ?? {}
const lastHeaders = () => new Headers(lastInit().headers)

const verbs: Record<string, (path: string, options?: CallOptions) => Promise<unknown>> = {
  GET: (path, options) => client.get(path, options),
  POST: (path, options) => client.post(path, { a: 1 }, options),
  PUT: (path, options) => client.put(path, { a: 1 }, options),
  DELETE: (path, options) => client.delete(path, options),
}
const writing = ['POST', 'PUT', 'DELETE']

describe('the address', () => {
  test('is prefix, slash and path, or the path alone without a prefix', async () => {
    await client.get('programs', { prefix: '/api' })
    expect(lastUrl()).toBe('/api/programs')
    await client.get('programs', { prefix: '' })
    expect(lastUrl()).toBe('programs')
    await client.get('/programs')
    expect(lastUrl()).toBe('/programs')
  })

  test.each<[NonNullable<CallOptions['query']>, string]>([
    [{}, ''],
    [{ skip: 20, take: 10 }, '?skip=20&take=10'],
    [{ skip: 0, take: 0 }, '?skip=0&take=0'],
    [{ active: true }, '?active=true'],
    [{ active: false }, '?active=false'],
    [{ extras: { type: 'Business', educationLevel: 790 } }, '?type=Business&educationLevel=790'],
    [{ extras: { zero: 0, no: false, empty: '' } }, '?zero=0&no=false&empty='],
    [{ extras: { '': 'x' } }, ''],
    [{ extras: { a: null, b: undefined, c: 'undefined', d: 'null' } }, '?d=null'],
    [{ take: 5, extras: { name: 'a&b=c d' } }, '?take=5&name=a%26b%3Dc+d'],
  ])('carries the query %j as %j', async (query, expected) => {
    await client.get('programs', { prefix: '/api', query })
    expect(lastUrl()).toBe(`/api/programs${expected}`)
  })

  test('carries the query with every method', async () => {
    for (const call of Object.values(verbs)) {
      await call('programs', { query: { take: 1 } })
      expect(lastUrl()).toBe('programs?take=1')
    }
  })
})

test.each(Object.keys(verbs))(
  '%s is sent with its method, and with JSON if it has a body',
  async (verb) => {
    await verbs[verb]?.('x')
    expect(lastInit().method).toBe(verb)
    const hasBody = verb === 'POST' || verb === 'PUT'
    expect(lastInit().body).toBe(hasBody ? '{"a":1}' : undefined)
    expect(lastHeaders().get('content-type')).toBe(hasBody ? 'application/json' : null)
    expect(lastHeaders().get('accept')).toBe('application/json')
  },
)

test('only calls with the authenticated flag send X-Api-Authorization: true', async () => {
  for (const call of Object.values(verbs)) {
    await call('x', { authenticated: true })
    expect(lastHeaders().get('x-api-authorization')).toBe('true')
    await call('x', { authenticated: false })
    expect(lastHeaders().has('x-api-authorization')).toBe(false)
    await call('x')
    expect(lastHeaders().has('x-api-authorization')).toBe(false)
  }
})

describe('the XSRF token', () => {
  test.each(writing)('goes out with %s to our own site', async (verb) => {
    for (const path of ['leads', '/leads', '/leads?to=https://x', 'a:b/c'.replace(':', '%3A')]) {
      await verbs[verb]?.(path)
      expect(lastHeaders().get('x-xsrf-token'), path).toBe('to/ken')
    }
    await verbs[verb]?.('leads', { prefix: '/api' })
    expect(lastHeaders().get('x-xsrf-token')).toBe('to/ken')
  })

  test('does not go out with GET', async () => {
    await client.get('/leads')
    expect(lastHeaders().has('x-xsrf-token')).toBe(false)
  })

  test.each([
    'https://other.example/leads',
    'HTTP://other.example/leads',
    '//other.example/leads',
    // Browsers read these addresses as another host too.
    '\\\\other.example/leads',
    '/\\other.example/leads',
    '/\t/other.example/leads',
    ' //other.example/leads',
    'https:/other.example/leads',
    'https:other.example/leads',
  ])('does not go out to %j', async (path) => {
    for (const verb of writing) {
      await verbs[verb]?.(path)
      expect(lastHeaders().has('x-xsrf-token')).toBe(false)
    }
    const [prefix = '', ...rest] = path.split('/leads')
    await client.post(`leads${rest.join('')}`, {}, { prefix })
    expect(lastHeaders().has('x-xsrf-token')).toBe(false)
  })

  test('over https comes from the cookie that no other host can set', async () => {
    vi.stubGlobal('location', { protocol: 'https:' })
    vi.stubGlobal('document', { cookie: 'XSRF-TOKEN=theirs; __Host-XSRF-TOKEN=ours' })
    await client.post('/leads', {})
    expect(lastHeaders().get('x-xsrf-token')).toBe('ours')
  })

  test('is left out without a cookie, and sent unchanged if its escapes are invalid', async () => {
    vi.stubGlobal('location', { protocol: 'http:' })
    vi.stubGlobal('document', { cookie: '' })
    await client.post('/leads', {})
    expect(lastHeaders().has('x-xsrf-token')).toBe(false)
    vi.stubGlobal('location', { protocol: 'http:' })
    vi.stubGlobal('document', { cookie: 'XSRF-TOKEN=100%' })
    await client.post('/leads', {})
    expect(lastHeaders().get('x-xsrf-token')).toBe('100%')
  })
})

test('the caller’s headers are sent too', async () => {
  await client.post('leads', {}, { headers: { 'Idempotency-Key': 'k' } })
  expect(lastHeaders().get('idempotency-key')).toBe('k')
})

describe('cookies that the visitor has cleared', () => {
  const refused = () => new Response(null, { status: 403 })
  const urls = () => fetched.mock.calls.map(([url]) => url)
  beforeEach(() =>
    vi.stubGlobal('location', { protocol: 'http:', href: 'http://site/business?affid=7' }),
  )

  test('come back with a request of the page, and the client repeats the call once', async () => {
    fetched.mockResolvedValueOnce(refused()).mockImplementationOnce(async () => {
      vi.stubGlobal('document', { cookie: 'XSRF-TOKEN=new' })
      return new Response('<!doctype html>')
    })
    expect(await client.post('/leads', {})).toEqual({})
    expect(urls()).toEqual(['/leads', 'http://site/business?affid=7', '/leads'])
    expect(lastHeaders().get('x-xsrf-token')).toBe('new')
  })

  test('make the call fail if the page sets none', async () => {
    fetched.mockImplementation(async () => refused())
    await expect(client.post('/leads', {})).rejects.toMatchObject({ status: 403 })
    expect(urls()).toHaveLength(3)
  })

  test.each([() => client.get('/leads'), () => client.post('https://other.example/leads', {})])(
    'do not matter to a call without a token',
    async (call) => {
      fetched.mockImplementation(async () => refused())
      await expect(call()).rejects.toMatchObject({ status: 403 })
      expect(urls()).toHaveLength(1)
    },
  )
})

describe('a call that hangs ends after 15 seconds', () => {
  afterEach(() => vi.restoreAllMocks())

  const hanging = (signal: AbortSignal | null | undefined) =>
    new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason))
    })

  test.each<[string, typeof fetch]>([
    ['without a reply', (_, init) => hanging(init?.signal)],
    [
      'in the middle of its reply',
      async (_, init) => {
        const start = (body: ReadableStreamDefaultController) => {
          init?.signal?.addEventListener('abort', () => body.error(init.signal?.reason))
        }
        const headers = { 'content-type': 'application/json' }
        return new Response(new ReadableStream({ start }), { headers })
      },
    ],
  ])('%s', async (_, fetch) => {
    fetched.mockImplementation(fetch)
    const time = new AbortController()
    const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal)
    const call = client.post('/leads', {})
    setTimeout(() => time.abort('time is up'))
    await expect(call).rejects.toBe('time is up')
    expect(limit).toHaveBeenCalledWith(15_000)
  })
})

describe('a reply', () => {
  test.each([{ items: [{ id: 1, extra: null }] }, [1, 2], 'text', null, 0])(
    '%j is passed through unchanged',
    async (reply) => {
      fetched.mockResolvedValue(Response.json(reply))
      expect(await client.get('x')).toEqual(reply)
    },
  )

  test('201 is a success', async () => {
    fetched.mockResolvedValue(Response.json({ id: 'a' }, { status: 201 }))
    expect(await client.post('leads', {})).toEqual({ id: 'a' })
  })

  test('204 has no content', async () => {
    fetched.mockResolvedValue(new Response(null, { status: 204 }))
    expect(await client.delete('x')).toBeUndefined()
  })
})

describe('an error reply rejects with an ApiError', () => {
  const errorOf = async (reply: Response): Promise<ApiError> => {
    fetched.mockResolvedValue(reply)
    const error = await client.post('leads', {}).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    return error as ApiError
  }

  test('that contains the problem', async () => {
    const problem = {
      type: 'about:blank',
      title: 'Unprocessable Content',
      status: 422,
      detail: 'Some values need to be corrected: see errors.',
      errors: [{ field: 'phone', message: 'Enter 10 digits.' }],
    }
    const headers = { 'content-type': 'application/problem+json' }
    const error = await errorOf(new Response(JSON.stringify(problem), { status: 422, headers }))
    expect(error.status).toBe(422)
    expect(error.problem).toEqual(problem)
    expect(error.message).toBe(problem.detail)
  })

  test.each(['', '<h1>Bad Gateway</h1>', 'null', '"down"', '[]', '{}', '{"detail":{}}'])(
    'that names the status if the reply is %j',
    async (body) => {
      const error = await errorOf(new Response(body, { status: 502 }))
      expect(error.status).toBe(502)
      expect(error.message).toBe('the server answered 502')
      expect(error.problem.errors).toBeUndefined()
    },
  )

  test.each([
    new Response('<h1>Welcome to our hotel</h1>', { headers: { 'content-type': 'text/html' } }),
    Response.json({ id: 'a' }, { status: 202 }),
  ])('if a success comes from another server', async (reply) => {
    const { status } = reply
    expect(await errorOf(reply)).toMatchObject({ status, problem: {} })
  })

  test('unless the call got no reply: it rejects with fetch’s error', async () => {
    fetched.mockRejectedValue(new TypeError('Failed to fetch'))
    await expect(client.get('x')).rejects.toThrow('Failed to fetch')
  })
})
