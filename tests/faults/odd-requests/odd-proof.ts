import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { idempotencyHeader, xsrfCookie, xsrfHeader } from '#contract/api-constants.ts'
import { exampleLead } from '#tests/product/example-lead.ts'
import { type OddRequest, tampered } from './odd-request.ts'
import { deepValue, oddText, oddValue } from './odd-values.ts'

const parameters = {
  algorithm: 'PBKDF2/SHA-256',
  nonce: '00'.repeat(16),
  salt: '00'.repeat(16),
  cost: 500,
  keyLength: 32,
  keyPrefix: '00',
  keySignature: '00'.repeat(32),
  expiresAt: 9_999_999_999,
  data: {},
}

const payload = fc
  .record({
    parameters: tampered(parameters),
    more: fc.oneof(deepValue, fc.dictionary(oddText, oddValue)),
    solution: tampered({ counter: 1, derivedKey: '00'.repeat(32) }),
    rest: tampered({ signature: '00'.repeat(32) }),
    key: fc.uuid(),
  })
  .map(({ parameters, more, solution, rest, key }) => ({
    key,
    altcha: Buffer.from(
      JSON.stringify({
        challenge: { parameters: { data: { key }, ...parameters, more }, ...rest },
        solution,
      }),
    ).toString('base64'),
  }))

/**
 * Generates an enquiry with an unrequested or invalid proof of work.
 * @param headers identify the visitor
 */
export const oddProof = (headers: Readonly<Record<string, string>>): fc.Arbitrary<OddRequest> =>
  fc
    .oneof(
      { weight: 4, arbitrary: payload },
      { weight: 1, arbitrary: fc.record({ altcha: oddText, key: fc.constant(randomUUID()) }) },
    )
    .map(({ key, altcha }) => ({
      method: 'POST',
      path: '/api/leads',
      headers: {
        cookie: `${xsrfCookie}=x`,
        [xsrfHeader]: 'x',
        [idempotencyHeader]: key,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify({ ...exampleLead(), altcha }),
    }))
