import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { idempotencyHeader, xsrfCookie, xsrfHeader } from '#contract/own-api.ts'
import { exampleLead } from '#tests/product/example-lead.ts'
import { wholeForm } from '#tests/product/posted-form.ts'
import { addressPart, headerText, mostly, oddQuery, oddText, oddValue } from './odd-values.ts'

export interface OddRequest {
  readonly method: string
  /** With its query, as it goes over the wire. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

type Headers = Record<string, string>

/** Some of these headers, with anything in them. */
const strayHeaders: fc.Arbitrary<Headers> = mostly(
  {},
  fc.dictionary(
    fc.constantFrom(
      'cookie',
      'origin',
      'referer',
      'user-agent',
      'accept',
      'accept-encoding',
      'accept-language',
      'content-encoding',
      'if-none-match',
      'range',
      'sec-fetch-site',
      'sec-gpc',
      'x-forwarded-for',
      'x-forwarded-host',
      'x-http-method-override',
    ),
    headerText,
    { maxKeys: 4 },
  ),
)

const method = (usual: string) =>
  mostly(
    usual,
    fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY'),
  )

/** The same object with some of its values changed for others, or gone. */
const tampered = (object: object): fc.Arbitrary<object> =>
  fc.record(
    Object.fromEntries(
      Object.entries(object).map(([name, value]) => [
        name,
        mostly(value as unknown, fc.oneof(oddValue, fc.constant(undefined))),
      ]),
    ),
  )

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
 * A call of the own API that nobody's form would make.
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
        // Made here, as each is a lead of its own.
        [idempotencyHeader]: usual[idempotencyHeader] || randomUUID(),
        ...stray,
      },
    }))

const formBody: fc.Arbitrary<{ type: string; body: string | Uint8Array }> = fc.oneof(
  {
    weight: 8,
    arbitrary: tampered({ ...wholeForm(), move: 'next' }).map((form) => ({
      type: 'application/x-www-form-urlencoded',
      body: new URLSearchParams(
        Object.entries(form).map(([name, value]) => [name, String(value ?? '')]),
      ).toString(),
    })),
  },
  {
    weight: 2,
    arbitrary: tampered(wholeForm()).map((form) => ({
      type: 'multipart/form-data; boundary=y',
      body: Object.entries(form)
        .map(
          ([name, value]) =>
            `--y\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
        )
        .concat('--y--\r\n')
        .join(''),
    })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.oneof(
        fc.constantFrom('application/x-www-form-urlencoded', 'multipart/form-data; boundary=y'),
        headerText,
      ),
      body: fc.oneof(oddText, fc.uint8Array({ maxLength: 200 })),
    }),
  },
)

/** A posted form that no page of ours would send. */
export const oddForm = (origin: string): fc.Arbitrary<OddRequest> =>
  fc
    .tuple(
      method('POST'),
      mostly('business', addressPart),
      oddQuery('affid', 'received', '__proto__'),
      formBody,
      fc.constantFrom('0', '1', '2', '3'),
      strayHeaders,
    )
    .map(([usualMethod, area, query, { type, body }, step, stray]) => ({
      method: usualMethod,
      path: `/${area}${query}`,
      headers: { origin, 'content-type': type, ...stray },
      body: typeof body === 'string' ? body.replace('step=3', `step=${step}`) : body,
    }))

const headerName = fc.stringMatching(/^[A-Za-z-]{1,20}$/)

const headerLine = fc.oneof(
  fc.constantFrom(
    'Host: a b',
    'Host: [::1',
    'Host: http://x/',
    'Host:',
    'Content-Length: 2',
    'Content-Length: -1',
    'Content-Length: 99999999999999999999',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: gzip, chunked',
    'Expect: 100-continue',
    'Expect: x',
    'Connection: upgrade',
    'Upgrade: websocket',
    'Upgrade: h2c',
    'Content-Type: application/json',
    'Content-Type: multipart/form-data; boundary=y',
    'Referer: http://[',
    'X-Forwarded-For: ,,,',
    'Cookie: XSRF-TOKEN=%; =; ;',
    'If-None-Match: W/"',
    'Accept-Encoding: ;q=x, br;q=',
  ),
  fc.tuple(headerName, headerText).map((pair) => pair.join(': ')),
  mostly('X: y', headerText),
)

/** Bytes that are hardly HTTP. */
export const oddBytes: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof(fc.constantFrom('GET', 'POST', 'HEAD', 'CONNECT', 'PROPFIND'), headerText),
    fc.oneof(
      fc.constantFrom('/', '/api/leads', '*', 'http://x/', 'http://[', '//x', '/\\x'),
      addressPart,
    ),
    mostly('HTTP/1.1', fc.constantFrom('HTTP/1.0', 'HTTP/2.0', 'HTTP/9', 'HTTP', '')),
    mostly('Host: localhost', headerLine),
    fc.array(headerLine, { maxLength: 4 }),
    fc.oneof(fc.constantFrom('', '0\r\n\r\n', 'zz\r\n', '{}'), headerText),
  )
  .map(([verb, path, version, host, lines, body]) =>
    [`${verb} ${path} ${version}`, host, ...lines, '', body].join('\r\n'),
  )
