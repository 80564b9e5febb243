import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { affiliateCookie, xsrfCookie } from '#contract/api-constants.ts'
import { method, type OddRequest, strayHeaders } from './odd-request.ts'
import { addressPart, headerText, oddQuery } from './odd-values.ts'

const cookies = fc
  .array(
    fc.tuple(
      fc.constantFrom(xsrfCookie, affiliateCookie, `__Host-${xsrfCookie}`, `MY-${xsrfCookie}`, ''),
      fc.oneof(addressPart, headerText),
    ),
    { maxLength: 4 },
  )
  .map((pairs) => pairs.map((pair) => pair.join('=')).join('; '))

/** Generates a request for a page with cookies and a query that none of our pages has made. */
export const oddPage: fc.Arbitrary<OddRequest> = fc
  .record({
    method: method('GET'),
    page: fc.oneof(
      fc.constantFrom('', 'business', 'information/privacy-policy', 'information/'),
      addressPart,
    ),
    received: fc.oneof(addressPart, fc.constant(randomUUID())),
    query: oddQuery('received', 'affid', 'AFFID', 'program', '__proto__'),
    cookie: cookies,
    stray: strayHeaders,
  })
  .map(({ method, page, received, query, cookie, stray }) => ({
    method,
    path: `/${page}?received=${received}${query.replace('?', '&')}`,
    headers: { cookie, ...stray },
    body: '',
  }))
