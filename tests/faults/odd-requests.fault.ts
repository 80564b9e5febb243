import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemContentType } from '#contract/api-constants.ts'
import { apiVisitor } from '#tests/product/api-visitor.ts'
import { exampleLead, newKey } from '#tests/product/example-lead.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { type StorePlace, storePlaces } from '#tests/store/store-places.ts'
import { isFull, times } from './extent.ts'
import { figure } from './figure.ts'
import { oddBytes } from './odd-requests/odd-bytes.ts'
import { oddCall } from './odd-requests/odd-call.ts'
import { oddForm } from './odd-requests/odd-form.ts'
import { oddPage } from './odd-requests/odd-page.ts'
import { oddProof } from './odd-requests/odd-proof.ts'
import { makeRequestSender, type OddReply, sendBytes } from './odd-requests/send.ts'
import { productEnv } from './product-env.ts'

/** `npm test` always uses the same inputs. A full run uses new ones, and names its seed if it fails. */
const seed = isFull ? Date.now() % 2 ** 31 : 20_261_121

/** A visitor for whom every enquiry after the first needs a proof of work. */
const busy = { 'x-forwarded-for': '203.0.113.99' }

describe.for(storePlaces)('$name', ({ name: store, makePlace }) => {
  let place: StorePlace
  let product: InProcessProduct
  let clientFolder: string
  beforeAll(async () => {
    place = await makePlace()
    clientFolder = await mkdtemp(join(tmpdir(), 'enquiry-client-'))
    // These tests do not check deliveries.
    const unused = { url: 'http://127.0.0.1:9' }
    const variables = { ROLE: 'web', TRUSTED_PROXIES: '127.0.0.1', LEADS_PER_NETWORK: '10' }
    product = await startInProcess(productEnv(place.settings, unused, variables), clientFolder)
    const { post } = await apiVisitor(product.url)
    expect((await post('leads', exampleLead(), { ...newKey(), ...busy })).status).toBe(201)
  })
  afterAll(async () => {
    await product.stop()
    await rm(clientFolder, { recursive: true })
    await place.remove()
  })

  test('the API answers or refuses malformed calls as the contract says', async () => {
    const { token } = await apiVisitor(product.url)
    const send = makeRequestSender(product.url)
    await tryAll('Odd calls', { modest: 150, full: 5000 }, oddCall(token), async (request) => {
      const reply = await send(request)
      expectSafe(reply)
      // `/api/../x` is not an API path.
      const isCall = new URL(request.path, product.url).pathname.startsWith('/api/')
      if (isCall && reply.status >= 400 && request.method !== 'HEAD') expectProblem(reply)
      return reply.status
    })
  })

  test('the API refuses malformed proofs of work', async () => {
    const send = makeRequestSender(product.url)
    await tryAll('Odd proofs', { modest: 50, full: 2000 }, oddProof(busy), async (request) => {
      const reply = await send(request)
      // Some requests are too large to be read.
      expect([413, 429]).toContain(reply.status)
      expectProblem(reply)
      return reply.status
    })
  })

  test('the answer to a malformed form is a page, never a redirect to another site', async () => {
    const send = makeRequestSender(product.url)
    await tryAll(
      'Odd forms',
      { modest: 100, full: 5000 },
      oddForm(product.url),
      async (request) => {
        const reply = await send(request)
        expectSafe(reply)
        expect(reply.headers['content-type'] ?? 'text/').toMatch(
          /^(text\/|application\/problem\+json$)/,
        )
        const { location } = reply.headers
        if (location !== undefined) {
          expect(new URL(location, product.url).origin).toBe(product.url)
          expect(location).toMatch(/^\/(?![/\\])/)
        }
        return reply.status
      },
    )
  })

  test('malformed addresses and cookies change nothing in a page', async () => {
    const send = makeRequestSender(product.url)
    await tryAll('Odd pages', { modest: 200, full: 5000 }, oddPage, async (request) => {
      const reply = await send(request)
      expectSafe(reply)
      expect(reply.body).not.toContain('Information Received')
      expect(reply.headers.location ?? '/').toMatch(/^\/(?![/\\])/)
      return reply.status
    })
  })

  test('the server refuses or answers malformed HTTP', async () => {
    await tryAll('Odd bytes', { modest: 50, full: 1500 }, oddBytes, async (bytes) => {
      const answer = await sendBytes(product.url, bytes)
      expect(answer).toMatch(/^(HTTP\/1\.1 [1234]\d\d |$)/)
      return Number(answer.slice(9, 12))
    })
  })

  /** Sends random inputs, checks that the product is alive and has logged no fault, and counts the answers. */
  async function tryAll<Input>(
    name: string,
    extent: { readonly modest: number; readonly full: number },
    inputs: fc.Arbitrary<Input>,
    answerTo: (input: Input) => Promise<number>,
  ) {
    const counts: Record<string, number> = {}
    // Requests that are refused before the store is used behave equally on both stores.
    const numRuns = isFull || store === storePlaces[0]?.name ? times(extent) : extent.modest / 5
    const property = fc.asyncProperty(inputs, async (input) => {
      const status = await answerTo(input)
      counts[status] = (counts[status] ?? 0) + 1
    })
    await fc.assert(property, { numRuns, seed })
    expect(product.logLines.filter((line) => line.includes('"level":50'))).toEqual([])
    const visitor = await apiVisitor(product.url)
    expect((await visitor.post('leads', exampleLead(), newKey())).status).toBe(201)
    const answers = Object.entries(counts).map(([status, count]) => `${status}: ${count}`)
    figure(`${name}, ${store}`, { inputs: numRuns, seed, answers: answers.join(' ') })
  }
})

/** Expects that the product has no error; it may say that a service is unavailable. */
function expectSafe({ status, headers }: OddReply) {
  expect(status === 503 || status < 500, String(status)).toBe(true)
  expect(headers['x-content-type-options']).toBe('nosniff')
}

/** https://www.rfc-editor.org/rfc/rfc9457 */
function expectProblem({ status, headers, body }: OddReply) {
  expect(headers['content-type']).toBe(problemContentType)
  const problem: unknown = JSON.parse(body)
  expect(problem).toMatchObject({
    type: 'about:blank',
    title: expect.stringMatching(/^[A-Z]/),
    status,
    detail: expect.stringMatching(/\S/),
  })
  const { errors = [] } = problem as { errors?: unknown[] }
  for (const error of errors) {
    expect(error).toEqual({ field: expect.any(String), message: expect.any(String) })
  }
}
