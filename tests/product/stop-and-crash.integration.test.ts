import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '#sandbox/start-sandbox.ts'
import { openStore } from '#server/store/open-store.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { apiVisitor } from './api-visitor.ts'
import { exampleLead, newKey } from './example-lead.ts'
import { runToEnd } from './run-to-end.ts'
import { arrivals } from './sandbox-ledger.ts'
import { type RunningProduct, startProcess } from './start-process.ts'

async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'enquiry-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

async function start(env: Record<string, string>): Promise<RunningProduct> {
  const product = await startProcess(env)
  onTestFinished(() => product.stop())
  return product
}

async function sendLead(product: RunningProduct, lastName = 'Lovelace') {
  const visitor = await apiVisitor(product.url)
  const body = exampleLead({ lastName })
  const reply = await visitor.post('leads', body, newKey())
  expect(reply.status).toBe(201)
  const { id } = (await reply.json()) as { id: string }
  return { id, email: body.lead.email }
}

/** Stops a product without running work. The visitor keeps the connection open, as browsers do. */
async function endAtOnce(product: RunningProduct, signal: 'SIGTERM' | 'SIGINT') {
  await sendLead(product)
  expect(await end(product, signal)).toBe(0)
  expect(product.log()).toContain('"msg":"stopped"')
}

/** Sends the signal and resolves with the exit code. */
async function end(product: RunningProduct, signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL') {
  product.process.kill(signal)
  const [code] = await once(product.process, 'exit')
  return code
}

async function find(dataDir: string, id: string, at = Date.now()) {
  const store = await openStore({ dataDir })
  const details = await store.leadReader.find(id, at)
  await store.close()
  return details
}

const status = async (dataDir: string, id: string) => (await find(dataDir, id))?.status

test('after SIGTERM, the server doesn’t wait for a slow delivery, and the next start delivers the lead', async () => {
  const DATA_DIR = await dataFolder()
  const first = await start({ DATA_DIR, DELIVERY_TIMEOUT: '30s', DELIVERY_RETRY_SCHEDULE: '100ms' })
  const { id, email } = await sendLead(first, 'Sandbox-Slow15s')
  await arrivals(first.sandboxUrl, email)
  expect(await end(first, 'SIGTERM')).toBe(0)
  // The stop did not wait for the distributor, and released the lease, so that no process has to wait for its end.
  expect(await find(DATA_DIR, id)).toMatchObject({
    status: 'pending',
    delivery: { attempts: [{ outcome: 'unknown' }] },
  })

  const distributor = await startSandbox({ port: 0, slowMs: 10 })
  onTestFinished(distributor.stop)
  const DISTRIBUTOR_URL = `${distributor.url}/incoming/leads`
  await start({ DATA_DIR, DISTRIBUTOR_URL })
  const [arrival] = await arrivals(distributor.url, email)
  expect(arrival?.idempotencyKey).toBe(id)
  await expect.poll(() => status(DATA_DIR, id)).toBe('delivered')
})

// stop-on-signal.test.ts tests how long it serves, without a real clock.
test('with a DRAIN_DELAY, the server answers requests after SIGTERM, and closes each connection', async () => {
  const product = await start({ DRAIN_DELAY: '3s' })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const ask = async (path: string) => {
    const [reply] = await once(get(product.url + path, { agent }), 'response')
    reply.resume()
    await once(reply, 'end')
    return { status: reply.statusCode, connection: reply.headers.connection }
  }
  expect(await ask('/')).toEqual({ status: 200, connection: 'keep-alive' })
  const ended = end(product, 'SIGTERM')
  await expect.poll(() => product.log()).toContain('"msg":"stopping"')
  for (const { path, status } of [
    { path: '/business', status: 200 },
    { path: '/readyz', status: 503 },
  ]) {
    // If the machine stalled for three seconds, the server may have ended.
    const answer = await ask(path).catch(() => 'gone')
    expect([{ status, connection: 'close' }, 'gone']).toContainEqual(answer)
  }
  expect(await ended).toBe(0)
})

test('after SIGTERM, the server finishes a request in progress, and doesn’t wait for its connection', async () => {
  const product = await start({})
  const body = JSON.stringify(exampleLead())
  const { token } = await apiVisitor(product.url)
  const call = request(`${product.url}/api/leads`, {
    method: 'POST',
    headers: {
      ...newKey(),
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      cookie: `XSRF-TOKEN=${token}`,
      'x-xsrf-token': token,
      connection: 'keep-alive',
      expect: '100-continue',
    },
  })
  call.flushHeaders()
  // When the server asks for the body, it has accepted the request.
  await once(call, 'continue')
  const ended = end(product, 'SIGTERM')
  await expect.poll(() => product.log()).toContain('"msg":"stopping"')
  const answered = once(call, 'response')
  call.end(body)
  const [reply] = await answered
  expect(reply.statusCode).toBe(201)
  reply.resume()
  expect(await ended).toBe(0)
})

test('after SIGTERM, the server doesn’t wait for a client that never finishes its request', async () => {
  const product = await start({})
  const socket = connect(Number(new URL(product.url).port), '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write('POST /api/leads HTTP/1.1\r\nHost: x\r\nContent-Len')
  await sendLead(product)
  expect(await end(product, 'SIGTERM')).toBe(0)
  expect(product.log()).toContain('"msg":"stopped"')
})

test('no second server can use the store; after kill -9 right after a 201, the next start delivers the lead and ends at once on SIGINT', async () => {
  const DATA_DIR = await dataFolder()
  // Without a worker, nothing can have been sent before the kill.
  const first = await start({ DATA_DIR, ROLE: 'web' })
  const { id, email } = await sendLead(first)
  const refused = await runToEnd({ DATA_DIR, PORT: '0', SANDBOX_PORT: '0', CONSOLE_PORT: '0' })
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(
    `The product cannot start. A server uses the store in ${DATA_DIR} already: web, process ${first.process.pid} on `,
  )
  await end(first, 'SIGKILL')
  expect(await status(DATA_DIR, id)).toBe('pending')
  const second = await start({ DATA_DIR })
  const [arrival] = await arrivals(second.sandboxUrl, email)
  expect(arrival?.idempotencyKey).toBe(id)
  await expect.poll(() => status(DATA_DIR, id)).toBe('delivered')
  await endAtOnce(second, 'SIGINT')
})

test('after kill -9 during a delivery, a worker retries it when its lease ends', async () => {
  const DATA_DIR = await dataFolder()
  const lease = {
    DELIVERY_TIMEOUT: '1500ms',
    DELIVERY_LEASE: '2s',
    IP_LOOKUP_URL: '',
    DELIVERY_RETRY_SCHEDULE: '100ms,100ms',
  }
  const first = await start({ DATA_DIR, ...lease })
  const { id, email } = await sendLead(first, 'Sandbox-Hang')
  await arrivals(first.sandboxUrl, email)
  await end(first, 'SIGKILL')
  const [delivery] = await askStore({ dataDir: DATA_DIR }, 'select leased_until from deliveries')
  const leasedUntil = Number(delivery?.leased_until)
  // The test looks just before the end of the lease, however long ago that is by now.
  expect(await find(DATA_DIR, id, leasedUntil - 1)).toMatchObject({ status: 'leased' })
  const second = await start({ DATA_DIR, ...lease })
  const [arrival] = await arrivals(second.sandboxUrl, email)
  expect(Date.now()).toBeGreaterThanOrEqual(leasedUntil)
  // The key tells the distributor that it may have had the lead before.
  expect(arrival?.idempotencyKey).toBe(id)
})

test('a worker retries after one failure, and a lead dies if all attempts fail; SIGTERM then ends the server at once', async () => {
  const DATA_DIR = await dataFolder()
  const product = await start({ DATA_DIR, DELIVERY_RETRY_SCHEDULE: '50ms,50ms' })
  const first = await sendLead(product, 'Sandbox-Fail500-Once')
  const sent = await arrivals(product.sandboxUrl, first.email, 2)
  expect(sent.map(({ idempotencyKey }) => idempotencyKey)).toEqual([first.id, first.id])
  await expect.poll(() => status(DATA_DIR, first.id)).toBe('delivered')
  const details = await find(DATA_DIR, first.id)
  expect(details?.delivery?.attempts).toMatchObject([
    { number: 1, outcome: 'broken', httpStatus: 500 },
    { number: 2, outcome: 'delivered', httpStatus: 200 },
  ])

  const always = await sendLead(product, 'Sandbox-Fail500')
  await arrivals(product.sandboxUrl, always.email, 3)
  await expect.poll(() => status(DATA_DIR, always.id)).toBe('dead')
  expect((await find(DATA_DIR, always.id))?.delivery?.attempts).toHaveLength(3)
  await endAtOnce(product, 'SIGTERM')
})
