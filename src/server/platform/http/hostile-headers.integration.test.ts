import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exampleLead, newKey } from '#tests/product/example-lead.ts'
import { wholeForm } from '#tests/product/posted-form.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'

let product: InProcessProduct
let clientFolder: string
beforeAll(async () => {
  clientFolder = await mkdtemp(join(tmpdir(), 'enquiry-client-'))
  for (const path of ['assets/form.js', 'icons/favicon.ico']) {
    await mkdir(join(clientFolder, path, '..'))
    await writeFile(join(clientFolder, path), 'x'.repeat(1000))
  }
  // With a trusted proxy, the server reads `X-Forwarded-For`.
  product = await startInProcess({ TRUSTED_PROXIES: '127.0.0.1' }, clientFolder)
})
afterAll(async () => {
  await product.stop()
  await rm(clientFolder, { recursive: true })
})

/** Just below Node's limit of 16 KB for all headers of a request together. */
const longest = 15_000

const repeated = (piece: string) => piece.repeat(longest / piece.length)

/** Inputs that slow parsers down: long runs, many parts, and many brackets that are opened and never closed. */
const hostile: Readonly<Record<string, string>> = {
  'spaces in the middle': `a${repeated(' ')}b`,
  'tabs and spaces': `a${repeated(' \t')}b`,
  'spaces before the end of a known value': `application/json${repeated(' ')}x`,
  commas: repeated(','),
  'commas and spaces': repeated(' , '),
  semicolons: repeated(';'),
  'names without values': repeated('a;'),
  'names and values': repeated('a=b; '),
  'one name, many values': repeated('XSRF-TOKEN="a'),
  quotes: repeated('"'),
  'weak tags': repeated('W/"a",'),
  'quotes that stay open': repeated('"a,'),
  backslashes: `"${repeated('\\"')}`,
  'percent signs': repeated('%'),
  'escaped half characters': repeated('%E0%A4'),
  qualities: repeated('br;q=0,'),
  dots: repeated('.'),
  'dots and digits': `${repeated('1.')}:`,
  colons: repeated(':'),
  brackets: repeated('['),
  'trusted addresses': repeated('127.0.0.1,'),
  digits: repeated('9'),
  ranges: `bytes=${repeated('0-,')}`,
  'a long address': `http://${repeated('a.')}/`,
  'a long path': `http://127.0.0.1/${repeated('../')}`,
}

const headers = [
  'accept',
  'accept-encoding',
  'accept-language',
  'content-encoding',
  'content-type',
  'cookie',
  'idempotency-key',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'origin',
  'range',
  'referer',
  'sec-fetch-site',
  'sec-gpc',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-xsrf-token',
]

interface Call {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const calls: readonly Call[] = [
  { method: 'GET', path: '/business' },
  { method: 'GET', path: '/assets/form.js' },
  { method: 'GET', path: '/favicon.ico' },
  {
    method: 'POST',
    path: '/business',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...wholeForm(), move: 'back' }).toString(),
  },
  {
    method: 'POST',
    path: '/api/leads',
    headers: {
      'content-type': 'application/json',
      cookie: 'XSRF-TOKEN=x',
      'x-xsrf-token': 'x',
      ...newKey(),
    },
    body: JSON.stringify(exampleLead()),
  },
]

/**
 * The most milliseconds that this thread may take, because all other requests wait meanwhile. Request, answer and
 * parsing together take about 1 ms, or a few on a slow machine.
 * Splitting a list of 15,000 characters with a regular expression took 400 ms.
 */
const most = 100

test.each(headers)('no %s header delays other requests, whatever it contains', async (header) => {
  for (const [about, value] of Object.entries(hostile)) {
    for (const call of calls) {
      // The fastest of a few rounds counts, because this thread also does other work.
      let cost = Number.POSITIVE_INFINITY
      for (let round = 0; round < 5 && cost > most; round++) {
        cost = Math.min(
          cost,
          await costOf({ ...call, headers: { ...call.headers, [header]: value } }),
        )
      }
      expect(cost, `${about} to ${call.method} ${call.path}`).toBeLessThan(most)
    }
  }
})

async function costOf({ method, path, headers: sent, body }: Call): Promise<number> {
  const before = process.threadCpuUsage()
  const call = request(product.url + path, { method, headers: { ...sent } })
  call.end(body)
  const [reply] = (await once(call, 'response')) as [IncomingMessage]
  await text(reply)
  const { user, system } = process.threadCpuUsage(before)
  expect(reply.statusCode, 'read whole').not.toBe(431)
  expect(reply.statusCode).toBeLessThan(500)
  return (user + system) / 1000
}
