import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { idempotencyHeader, xsrfCookie, xsrfHeader } from '#contract/api-constants.ts'
import { exampleLead } from '#tests/product/example-lead.ts'
import { method, type OddRequest, strayHeaders, tampered } from './odd-request.ts'
import { addressPart, headerText, mostly, oddQuery, oddText, oddValue } from './odd-values.ts'

const oddLead = tampered(exampleLead().lead).chain((lead) =>
  tampered({ subId: 'partner 7', addressVerified: true, ...exampleLead(), lead }),
)

const jsonBody = (usual: fc.Arbitrary<unknown>): fc.Arbitrary<string | Uint8Array> =>
  fc.oneof(
    { weight: 12, arbitrary: usual.map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: oddValue.map((value) => JSON.stringify(value) ?? '') },
    { weight: 1, arbitrary: oddText },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
    { weight: 1, arbitrary: fc.integer({ min: 60_000, max: 70_000 }).map((n) => '1'.repeat(n)) },
  )

const call = (usualMethod: string, path: fc.Arbitrary<string>, usual: fc.Arbitrary<unknown>) =>
  fc.record({ method: method(usualMethod), path, body: jsonBody(usual) })

const calls = fc.oneof(
  { weight: 4, arbitrary: call('POST', fc.constant('leads'), oddLead) },
  {
    weight: 2,
    arbitrary: call(
      'POST',
      fc.constant('address-validations'),
      tampered({ address: '123 Main St', zip: '34236' }),
    ),
  },
  {
    weight: 2,
    arbitrary: call(
      'GET',
      mostly('34236', addressPart).map((zip) => `zip-lookups/${zip}`),
      fc.constant(null),
    ),
  },
  {
    weight: 2,
    arbitrary: call(
      'GET',
      fc
        .array(
          fc.tuple(
            fc.constantFrom('skip', 'take', 'active', 'type', 'educationLevel'),
            addressPart,
          ),
        )
        .map((pairs) => `programs?${pairs.map((pair) => pair.join('=')).join('&')}`),
      fc.constant(null),
    ),
  },
  {
    weight: 1,
    arbitrary: call(
      'GET',
      fc.oneof(fc.constantFrom('education-levels', 'start-dates', 'ip-address', ''), addressPart),
      fc.constant(null),
    ),
  },
)

/**
 * Generates an API call that no form would make.
 * @param token the XSRF token that the product gave
 */
export const oddCall = (token: string): fc.Arbitrary<OddRequest> =>
  fc
    .tuple(
      calls,
      oddQuery('skip', 'key'),
      fc.record({
        [xsrfHeader]: mostly(token, headerText),
        [idempotencyHeader]: mostly('', headerText),
        'content-type': mostly('application/json', headerText),
      }),
      strayHeaders,
    )
    .map(([{ path, ...rest }, query, usual, stray]) => ({
      ...rest,
      path: `/api/${path}${path.includes('?') ? '' : query}`,
      headers: {
        cookie: `${xsrfCookie}=${token}`,
        ...usual,
        // The key is made here, because each lead needs its own.
        [idempotencyHeader]: usual[idempotencyHeader] || randomUUID(),
        ...stray,
      },
    }))
