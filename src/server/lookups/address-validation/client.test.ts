import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts'
import {
  httpReply,
  type Misbehaviour,
  startHostileServer,
} from '#tests/third-parties/hostile-server.ts'
import { makeAddressValidation } from './client.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 })
})
afterAll(() => sandbox.stop())
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const ask = (address: string, zip: string, apiKey = 'KEY') =>
  makeAddressValidation({ baseUrl: sandbox.url, apiKey, timeoutMs: 60_000 })(address, zip)

async function askHostile(misbehave: Misbehaviour, timeoutMs = 60_000) {
  const server = await startHostileServer(misbehave)
  stops.push(server.stop)
  const baseUrl = server.url
  return makeAddressValidation({ baseUrl, apiKey: 'KEY', timeoutMs })('1 Oak St', '34236')
}

const unavailable = (reason: string) => ({ kind: 'unavailable', reason })

test('asks as the contract says: path, query, and one line of street and ZIP', async () => {
  let request = ''
  const server = await startHostileServer((socket, text) => {
    request = text
    socket.end(httpReply(200, '{"result":{"address":{}}}'))
  })
  stops.push(server.stop)
  const validate = makeAddressValidation({
    baseUrl: server.url,
    apiKey: 'K&Y',
    timeoutMs: 60_000,
  })
  expect(await validate('1 Oak St', '34236')).toEqual({
    kind: 'answered',
    postalAddress: {},
    doubts: [],
  })
  expect(request).toMatch(/^POST \/v1:validateAddress\?alt=json&key=K%26Y HTTP/)
  expect(request).toMatch(/\r\n\r\n\{"address":\{"addressLines":\["1 Oak St 34236"\]\}\}$/)
})

test.each<[string, string, string, object, string[]?]>([
  [
    'a street in a known ZIP',
    '1 Oak St',
    '10001',
    {
      addressLines: ['1 Oak St'],
      postalCode: '10001',
      administrativeArea: 'NY',
      locality: 'New York',
    },
  ],
  [
    'ZIP+4',
    '123 Main St',
    '34236',
    {
      addressLines: ['123 Main St'],
      postalCode: '34236-5610',
      administrativeArea: 'FL',
      locality: 'Sarasota',
    },
  ],
  [
    'a name without a number',
    'Main Street',
    '34236',
    { postalCode: '34236', administrativeArea: 'FL', locality: 'Sarasota' },
  ],
  ['an unknown ZIP', '1 Oak St', '00000', {}],
  [
    'FIX',
    '1 FIX St',
    '34236',
    { postalCode: '34236', administrativeArea: 'FL', locality: 'Sarasota' },
  ],
  [
    'CONFIRM',
    '1 CONFIRM St',
    '34236',
    {
      addressLines: ['1 CONFIRM St'],
      postalCode: '34236',
      administrativeArea: 'FL',
      locality: 'Sarasota',
    },
  ],
  [
    'REPLACE',
    '1 REPLACE St',
    '34236',
    {
      addressLines: ['1 Replaced St'],
      postalCode: '34236',
      administrativeArea: 'FL',
      locality: 'Sarasota',
    },
    ['street-corrected'],
  ],
  [
    'NOUNIT',
    '1 NOUNIT St',
    '34236',
    {
      addressLines: ['1 NOUNIT St'],
      postalCode: '34236',
      administrativeArea: 'FL',
      locality: 'Sarasota',
    },
    ['unit-missing'],
  ],
  [
    'UNKNOWN',
    '1 UNKNOWN St',
    '34236',
    {
      addressLines: ['1 UNKNOWN St'],
      postalCode: '34236',
      administrativeArea: 'FL',
      locality: 'Sarasota',
    },
    ['street-unknown'],
  ],
])('%s', async (_, address, zip, postalAddress, doubts = []) => {
  expect(await ask(address, zip)).toEqual({ kind: 'answered', postalAddress, doubts })
})

test.each([
  ['99999', 'quota'],
  ['99998', 'refused-key'],
  ['99997', 'down'],
])('ZIP %s: %s', async (zip, reason) => {
  expect(await ask('1 Oak St', zip)).toEqual(unavailable(reason))
})

test('a key that is not valid', async () => {
  expect(await ask('1 Oak St', '34236', 'Sandbox-Invalid-Key')).toEqual(unavailable('refused-key'))
})

test.each<[string, Misbehaviour, string]>([
  ['a reset', (socket) => socket.resetAndDestroy(), 'network'],
  [
    'a body that breaks off',
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{'),
    'network',
  ],
])('%s', async (_, misbehave, reason) => {
  expect(await askHostile(misbehave)).toEqual(unavailable(reason))
})

test('silence, or a body that stops half way: timeout', async () => {
  const half = 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{'
  // Whatever had come by then.
  expect(await askHostile(() => {}, 100)).toEqual(unavailable('timeout'))
  expect(await askHostile((socket) => socket.write(half), 100)).toEqual(unavailable('timeout'))
})

test('nobody listens', async () => {
  const server = await startHostileServer(() => {})
  await server.stop()
  const validate = makeAddressValidation({ baseUrl: server.url, apiKey: 'KEY', timeoutMs: 60_000 })
  expect(await validate('1 Oak St', '34236')).toEqual(unavailable('network'))
})

test('the stand-in leaves out what is false or not found, as Google does', async () => {
  const reply = await fetch(`${sandbox.url}/v1:validateAddress`, {
    method: 'POST',
    body: JSON.stringify({ address: { addressLines: ['1 Oak St 34236'] } }),
  })
  const text = await reply.text()
  expect(text).not.toMatch(/false|null/)
  expect(JSON.parse(text)).toMatchObject({
    result: {
      verdict: { possibleNextAction: 'ACCEPT', addressComplete: true },
      address: { postalAddress: { regionCode: 'US' } },
      uspsData: { dpvConfirmation: 'Y' },
    },
    responseId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
})
