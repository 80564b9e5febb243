import { expect, test } from 'vitest'
import { readReply } from './reply.ts'

const failure = (rest: object) => readReply(JSON.stringify({ status: 'failure', ...rest }))

test.each(['success', 'Success', 'SUCCESS'])('%s', (status) => {
  const reply = JSON.stringify({ status, id: 'x', reason: { base: [1] } })
  expect(readReply(reply)).toEqual({ status: 'success' })
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
  expect(readReply(body)).toBeUndefined()
})
