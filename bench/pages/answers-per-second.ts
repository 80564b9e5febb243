import { load } from './load.ts'

/**
 * Asks for one address over and over, one request at a time on each connection.
 * @throws where an answer is not 200
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
