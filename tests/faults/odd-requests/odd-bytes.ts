import fc from 'fast-check'
import { addressPart, headerText, mostly } from './odd-values.ts'

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

/** Generates bytes that are hardly HTTP. */
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
