import { expect, test } from 'vitest'
import { notSentCode } from './exchange.ts'

const withCode = (code: string, syscall?: string) =>
  Object.assign(new Error('whatever'), { code, ...(syscall ? { syscall } : {}) })

test.each([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])('%s comes before sending', (code) => {
  expect(notSentCode(withCode(code))).toBe(code)
})

test.each(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT'])(
  '%s may come after sending',
  (code) => {
    expect(notSentCode(withCode(code, 'read'))).toBeUndefined()
  },
)

test('a timeout while connecting sent nothing; one while reading may have', () => {
  expect(notSentCode(withCode('ETIMEDOUT', 'connect'))).toBe('ETIMEDOUT')
  expect(notSentCode(withCode('ETIMEDOUT', 'read'))).toBeUndefined()
})

test('if connecting to every address of a host failed, nothing was sent', () => {
  const all = new AggregateError([withCode('ECONNREFUSED', 'connect')])
  expect(notSentCode(Object.assign(all, { code: 'ETIMEDOUT' }))).toBe('ETIMEDOUT')
})

test('a value that is not an error does not prove that nothing was sent', () => {
  expect(notSentCode(undefined)).toBeUndefined()
  expect(notSentCode('words')).toBeUndefined()
})
