import { randomUUID } from 'node:crypto'
import { idempotencyHeader, xsrfCookie, xsrfHeader } from '../../../src/contract/api-constants.ts'
import { exampleLead } from '../../../tests/product/example-lead.ts'
import { type Answers, load } from '../../pages/load.ts'

/** The number of simultaneous enquiries. */
export const atOnce = 64

/**
 * Sends enquiries to a product for some milliseconds, each from another person with another key.
 * @throws if an answer is not 201
 */
export function postLeads(url: string, durationMs: number): Promise<Answers> {
  const { host } = new URL(url)
  return load({
    address: url,
    connections: atOnce,
    durationMs,
    request: leadRequests(host),
    status: 201,
  })
}

/** Like `postLeads`, but at a fixed rate a second, however long the answers take. */
export function postLeadsSteadily(
  url: string,
  { perSecond, durationMs }: { readonly perSecond: number; readonly durationMs: number },
): Promise<Answers> {
  const { host } = new URL(url)
  return load({
    address: url,
    connections: perSecond,
    everyMs: 1000,
    durationMs,
    request: leadRequests(host),
    status: 201,
  })
}

/** Each request is prepared except for two UUIDs. */
function leadRequests(host: string): () => string {
  const mark = randomUUID()
  const token = randomUUID()
  const body = JSON.stringify(exampleLead({ email: `${mark}@example.com` }))
  const head = [
    'POST /api/leads HTTP/1.1',
    `Host: ${host}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Cookie: ${xsrfCookie}=${token}`,
    `${xsrfHeader}: ${token}`,
    `${idempotencyHeader}: ${mark}`,
    'User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    `Referer: http://${host}/business`,
  ].join('\r\n')
  const [start, middle, end] = `${head}\r\n\r\n${body}`.split(mark)
  return () => {
    const id = randomUUID()
    return `${start}${id}${middle}${id}${end}`
  }
}
