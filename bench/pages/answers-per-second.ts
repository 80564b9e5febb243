import { load } from './load.ts'

/**
 * Requests one address repeatedly, with one request at a time on each connection.
 * @throws if an answer is not 200
 */
export async function answersPerSecond(
  address: string,
  connections: number,
  durationMs: number,
): Promise<number> {
  const { host, pathname } = new URL(address)
  const ask = `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nAccept-Encoding: br\r\n\r\n`
  const request = () => ask
  const { perSecond } = await load({ address, connections, durationMs, request, status: 200 })
  return perSecond
}
