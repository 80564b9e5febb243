import { expect, test } from 'vitest'
import {
  classifyCallResult,
  parseReply,
  parseRetryAfter,
  shortenResponse,
} from './distributor-client.ts'

test.each(['timeout', 'stopped', 'connection'] as const)(
  'a 200 that broke off (%s) may have accepted the lead',
  (why) => {
    const reply = { kind: 'cut-short', status: 200, headers: {}, why } as const
    expect(classifyCallResult(reply, 0).outcome).toMatchObject({ name: 'unknown', httpStatus: 200 })
  },
)

test('only the body of a 200 says that the lead was accepted', () => {
  const reply = { kind: 'answered', status: 200, headers: {} } as const
  expect(classifyCallResult({ ...reply, body: '<h1>Down for repairs</h1>' }, 0).outcome.name).toBe(
    'broken',
  )
})

const failure = (rest: object) => parseReply(JSON.stringify({ status: 'failure', ...rest }))

test.each(['success', 'Success', 'SUCCESS'])('%s', (status) => {
  const reply = JSON.stringify({ status, id: 'x', reason: { base: [1] } })
  expect(parseReply(reply)?.status).toBe('success')
})

test('a failure in capitals keeps its reasons', () =>
  expect(failure({ status: 'FAILURE', reason: 'Cap' })).toEqual({
    status: 'failure',
    reasons: ['Cap'],
  }))

test.each<[string, object, string[]]>([
  ['an object of arrays', { reason: { base: ['Cap'], zip: ['is bad'] } }, ['Cap', 'zip: is bad']],
  ['an object of strings', { reason: { base: 'Cap' } }, ['Cap']],
  ['a string', { reason: 'Program is inactivated' }, ['Program is inactivated']],
  ['reasons[]', { reasons: ['one', 'two'] }, ['one', 'two']],
  ['errors[]', { errors: ['three'] }, ['three']],
  ['reason_code', { reason_code: 'DUP' }, ['DUP']],
  ['a numeric reason_code', { reason_code: 17 }, ['17']],
  [
    'all of them, each once',
    { reason: 'a', reasons: ['a', 'b'], errors: ['c', ' '], reason_code: 'd' },
    ['a', 'b', 'c', 'd'],
  ],
  ['none', {}, []],
  [
    'shapes that nobody has met',
    { reason: { base: { deep: [1] } }, errors: [{}], reasons: null },
    [],
  ],
])('reasons as %s', (_, rest, reasons) => {
  expect(failure(rest)).toEqual({ status: 'failure', reasons })
})

test.each([
  '',
  '{',
  'null',
  '[]',
  '"success"',
  '{}',
  '{"status":true}',
  '{"status":200}',
  '{"status":"maybe"}',
  '{"status":"successful"}',
  '{"status":" success"}',
])('%s is not the contract', (body) => {
  expect(parseReply(body)).toBeUndefined()
})

const now = Date.UTC(2026, 2, 1, 12, 0, 0)
const month = 31 * 24 * 60 * 60 * 1000

test.each([
  ['120', 120_000],
  ['0', 0],
  ['604800', 604_800_000],
  [' 7 ', 7_000],
  ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
  ['Sunday, 01-Mar-26 12:01:00 GMT', 60_000],
  ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
  ['99999999999999999999', month],
  ['Tue, 01 Mar 2050 12:00:00 GMT', month],
])('%s', (header, expected) => {
  expect(parseRetryAfter(header, now)).toBe(expected)
})

test.each([undefined, '', 'soon', '1.5', '-3', 'Sun, 99 Foo 2026 12:00:00 GMT'])(
  '%s says nothing',
  (header) => {
    expect(parseRetryAfter(header, now)).toBeUndefined()
  },
)

test('keeps the response on one line, without control characters', () => {
  expect(shortenResponse(' Reached the\r\nmonthly cap\u0000\u009b2J for program 12\u202e ')).toBe(
    'Reached the  monthly cap2J for program 12',
  )
})

test('cuts at 1,000 UTF-16 units, and never within a character', () => {
  const cut = shortenResponse(`a${'😀'.repeat(20_000)}`) ?? ''
  expect(cut).toHaveLength(999)
  expect(cut.isWellFormed()).toBe(true)
  expect(shortenResponse('é'.repeat(1000))).toBe('é'.repeat(1000))
})

test('a response without visible characters is empty', () => {
  for (const text of ['', ' \n ', '\u200b\u0000']) expect(shortenResponse(text)).toBeUndefined()
})
