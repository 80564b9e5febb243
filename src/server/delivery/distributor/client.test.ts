import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts'
import { exampleDistributorLead } from '#tests/distributor/example-distributor-lead.ts'
import { until } from '#tests/patience/until.ts'
import { stopClock } from '#tests/third-parties/stop-clock.ts'
import type { SendResult } from '../send-result.ts'
import { makeDistributor } from './client.ts'
import type { LeadEncoding } from './encode-lead.ts'

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
  const distributor = makeDistributor({ url, encoding, timeoutMs })
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
  ['Sandbox-Duplicate', rejected, 'This person came before'],
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
  expect(await send(lastName)).toEqual({ outcome, said })
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
