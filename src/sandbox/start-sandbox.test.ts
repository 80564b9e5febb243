import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { commonFaults, lastNameFaults } from './faults.ts'
import { type Sandbox, startSandbox } from './start-sandbox.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 })
})
afterAll(() => sandbox.stop())
beforeEach(() => sandbox.ledger.clear())

const post = (body: string, headers: Record<string, string>) =>
  fetch(`${sandbox.url}/incoming/leads`, { method: 'POST', body, headers })

const readLedger = async () => (await fetch(`${sandbox.url}/ledger`)).json()

test('the ledger has both encodings as received, and what was answered', async () => {
  await post('{"lead": {"lastname":"Ng"} }', {
    'content-type': 'application/json',
    'idempotency-key': 'key-1',
    'x-extra': 'kept',
  })
  await post('lead%5Blastname%5D=Sandbox-Cap&campaign_code=C', {
    'content-type': 'application/x-www-form-urlencoded',
  })
  expect(await readLedger()).toMatchObject([
    {
      number: 1,
      idempotencyKey: 'key-1',
      countForLead: 1,
      headers: { 'x-extra': 'kept', 'content-type': 'application/json' },
      raw: '{"lead": {"lastname":"Ng"} }',
      body: { lead: { lastname: 'Ng' } },
      answered: { fault: null, status: 200, body: '{"status":"success"}' },
    },
    {
      number: 2,
      idempotencyKey: null,
      raw: 'lead%5Blastname%5D=Sandbox-Cap&campaign_code=C',
      body: { lead: { lastname: 'Sandbox-Cap' }, campaign_code: 'C' },
      answered: { fault: 'Sandbox-Cap', status: 200 },
    },
  ])
})

test('the ledger has a lead whose connection was then reset', async () => {
  const lead = post('{"lead":{"lastname":"Sandbox-Reset"}}', {})
  await expect(lead).rejects.toThrow('fetch failed')
  expect(await readLedger()).toMatchObject([
    { answered: { fault: 'Sandbox-Reset', status: null, body: null } },
  ])
})

test('a body that is no lead is refused, and kept', async () => {
  expect((await post('nonsense', {})).status).toBe(400)
  expect(await readLedger()).toMatchObject([{ raw: 'nonsense', body: null }])
})

test('DELETE empties the ledger', async () => {
  await post('{}', {})
  const deleted = await fetch(`${sandbox.url}/ledger`, { method: 'DELETE' })
  expect(deleted.status).toBe(204)
  expect(await readLedger()).toEqual([])
})

test('the pixel is a GIF of one point', async () => {
  const reply = await fetch(`${sandbox.url}/pixel/healthcare.gif?lead=1`)
  expect(reply.headers.get('content-type')).toBe('image/gif')
  const bytes = Buffer.from(await reply.arrayBuffer())
  expect(bytes.subarray(0, 6).toString()).toBe('GIF89a')
  expect([bytes.readUInt16LE(6), bytes.readUInt16LE(8)]).toEqual([1, 1])
})

test('the README names every input', async () => {
  const readme = await readFile(new URL('README.md', import.meta.url), 'utf8')
  for (const { name } of lastNameFaults) expect(readme).toContain(`\`Sandbox-${name}\``)
  for (const { name, description, zip } of commonFaults) {
    expect(readme).toContain(`| ${description} | \`Sandbox-${name}\` | ${zip} |`)
  }
})

test('a taken port is reported', async () => {
  const port = Number(new URL(sandbox.url).port)
  await expect(startSandbox({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test('stops at once although a call hangs, and may be stopped twice', async () => {
  const other = await startSandbox({ port: 0 })
  const hanging = fetch(`${other.url}/incoming/leads`, {
    method: 'POST',
    body: '{"lead":{"lastname":"Sandbox-Hang"}}',
  })
  const failed = expect(hanging).rejects.toThrow('fetch failed')
  await expect.poll(() => other.ledger.entries().length).toBe(1)
  await other.stop()
  await other.stop()
  await failed
  await expect(fetch(other.url)).rejects.toThrow('fetch failed')
})
