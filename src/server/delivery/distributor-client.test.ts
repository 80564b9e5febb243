import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import { decodeLead } from '#sandbox/lead-ledger.ts'
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts'
import { exampleDistributorLead } from '#tests/distributor/example-distributor-lead.ts'
import { until } from '#tests/patience/until.ts'
import { stopClock } from '#tests/third-parties/stop-clock.ts'
import {
  encodeLead,
  type LeadEncoding,
  makeDistributorClient,
  type SendResult,
} from './distributor-client.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, slowMs: 20 })
})
afterAll(() => sandbox.stop())
beforeEach(() => sandbox.ledger.clear())

const timeoutMs = 3_600_000

function send(
  lastName: string,
  key = 'key-1',
  { encoding = 'json' }: { encoding?: LeadEncoding } = {},
): Promise<SendResult> {
  const url = `${sandbox.url}/incoming/leads`
  const distributor = makeDistributorClient({ url, encoding, timeoutMs })
  return distributor.send(exampleDistributorLead(lastName), key, new AbortController().signal)
}

test.each(['json', 'form'] as const)('delivers as %s, with the key', async (encoding) => {
  expect(await send('Okafor', 'key-7', { encoding })).toEqual({
    outcome: { name: 'delivered', httpStatus: 200 },
  })
  expect(sandbox.ledger.entries()).toMatchObject([
    { idempotencyKey: 'key-7', countForLead: 1, body: { lead: { lastname: 'Okafor' } } },
  ])
})

const rejected = { name: 'rejected', httpStatus: 200 } as const
const unknownReply = { name: 'broken', httpStatus: 200, reason: 'unknown-reply' } as const

test.each<[string, AttemptOutcome, string?]>([
  ['Sandbox-Duplicate', rejected, 'This person is already a lead'],
  ['Sandbox-Cap', { ...rejected, cause: 'cap' }, 'Reached the monthly offer cap for program'],
  ['Sandbox-Inactive', rejected, 'Program is inactivated; closed'],
  [
    'Sandbox-Invalid',
    rejected,
    'phone1: is too short; Lead is not as agreed; phone1 is not a phone number',
  ],
  [
    'Sandbox-Fail500',
    { name: 'broken', httpStatus: 500, reason: 'server-error' },
    '{"error":"Internal Server Error"}',
  ],
  ['Sandbox-BadJson', unknownReply, '{"status":"succ'],
  [
    'Sandbox-Html200',
    unknownReply,
    '<!doctype html><title>Down for repairs</title><p>We will be back soon.',
  ],
  [
    'Sandbox-429',
    { name: 'busy', httpStatus: 429, retryAfterMs: 2000 },
    '{"error":"Too Many Requests"}',
  ],
  ['Sandbox-Reset', { name: 'unknown', reason: 'connection-lost', code: 'ECONNRESET' }],
  ['Sandbox-Slow15s', { name: 'delivered', httpStatus: 200 }],
])('%s', async (lastName, outcome, said) => {
  expect(await send(lastName)).toEqual({ outcome, response: said })
  expect(sandbox.ledger.entries()).toMatchObject([{ answered: { fault: lastName } }])
})

test('Sandbox-Hang: unknown after the timeout, and the lead did arrive', async () => {
  const later = stopClock()
  const result = send('Sandbox-Hang')
  await until(() => sandbox.ledger.entries().length === 1)
  later(timeoutMs)
  expect(await result).toEqual({
    outcome: { name: 'unknown', reason: 'timeout' },
  })
})

test.each([
  ['Sandbox-Fail500-Once', ['broken', 'delivered', 'delivered']],
  ['Sandbox-FailTwice', ['broken', 'broken', 'delivered']],
])('%s counts each lead by itself', async (lastName, expected) => {
  const names = async (key: string) => [
    (await send(lastName, key)).outcome.name,
    (await send(lastName, key)).outcome.name,
    (await send(lastName, key)).outcome.name,
  ]
  expect(await names('key-1')).toEqual(expected)
  expect(await names('key-2')).toEqual(expected)
})

test('json is the specification’s object, unchanged', () => {
  const { contentType, body } = encodeLead(exampleDistributorLead(), 'json')
  expect(contentType).toBe('application/json')
  expect(JSON.parse(body)).toEqual(exampleDistributorLead())
})

test('form puts brackets around the names in a group only', () => {
  const { contentType, body } = encodeLead(exampleDistributorLead(), 'form')
  expect(contentType).toBe('application/x-www-form-urlencoded')
  const pairs = [...new URLSearchParams(body)]
  expect(pairs.slice(0, 4)).toEqual([
    ['campaign_code', 'CAMPAIGN-1'],
    ['subId', 'affiliate-7'],
    ['lead[firstname]', 'Maribel'],
    ['lead[lastname]', 'Okafor'],
  ])
  expect(pairs).toContainEqual(['lead[test]', 'false'])
  expect(pairs).toContainEqual(['lead_education[campus_id]', '1687'])
  expect(pairs).toContainEqual(['lead_consent[tcpa_consent]', 'Yes'])
  expect(pairs).toHaveLength(27)
})

test('form escapes special characters', () => {
  const lead = exampleDistributorLead("O'Neil & Søn=[x]+%")
  const { body } = encodeLead(lead, 'form')
  expect(decodeLead(body, 'application/x-www-form-urlencoded')).toMatchObject({
    lead: { lastname: "O'Neil & Søn=[x]+%" },
  })
})

test('a lead without an affiliate id has no subId in either encoding', () => {
  const { subId: _, ...lead } = exampleDistributorLead()
  for (const given of [lead, { ...lead, subId: undefined }]) {
    expect(encodeLead(given as typeof lead, 'json').body).not.toContain('subId')
    expect(encodeLead(given as typeof lead, 'form').body).not.toContain('subId')
  }
})

test.each(['json', 'form'] as const)('%s leaves out missing values', (encoding) => {
  const { subId, lead, ...rest } = exampleDistributorLead()
  const unsaid = { ...rest, lead: { ...lead, ip: undefined } } as unknown as Parameters<
    typeof encodeLead
  >[0]
  const { body } = encodeLead(unsaid, encoding)
  expect(body).not.toMatch(/undefined|subId|\bip\b/)
})
