import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { untilPasses } from '#tests/patience/until.ts'
import { exampleLead, newKey } from '#tests/product/example-lead.ts'
import { rawConnection } from '#tests/product/raw-connection.ts'
import { startInProcess } from '#tests/product/start-in-process.ts'

test.each([
  ['/', 'Transfer-Encoding: chunked', '5\r\nhello\r\n'],
  ['/api/leads', 'Transfer-Encoding: chunked', '5\r\nhello\r\n'],
  ['/api/leads', 'Content-Length: 1000', 'hello'],
])(
  'a visitor who leaves while sending to %s (%s) causes no error in the log',
  async (path, framing, piece) => {
    const product = await startInProcess()
    const visitor = await rawConnection(product.url)
    const lines = [
      'Host: localhost',
      'Content-Type: application/json',
      'Idempotency-Key: 019bc0de-0000-7000-8000-000000000000',
      'Cookie: XSRF-TOKEN=x',
      'X-XSRF-TOKEN: x',
      framing,
      'Expect: 100-continue',
    ]
    visitor.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    // The server answers 100 Continue once it waits for the body.
    await once(visitor.socket, 'data')
    visitor.write(piece)
    visitor.socket.destroy()
    await product.stop()
    expect(product.logLines.filter((line) => line.includes('"level":50'))).toEqual([])
  },
)

test('a lead is stored even if the visitor leaves right after sending it', async () => {
  const product = await startInProcess()
  onTestFinished(product.stop)
  const body = JSON.stringify(exampleLead())
  const visitor = await rawConnection(product.url)
  const lines = [
    'POST /api/leads HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Idempotency-Key: ${newKey()['idempotency-key']}`,
    'Cookie: XSRF-TOKEN=x',
    'X-XSRF-TOKEN: x',
  ]
  visitor.socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
  const isAccepted = (line: string) => line.includes('lead accepted')
  await untilPasses(() => expect(product.logLines.some(isAccepted)).toBe(true))
})
