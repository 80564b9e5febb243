import { BlockList, isIP } from 'node:net'
import type { RequestHead } from '../request-head.ts'

/**
 * The visitor's address: the connection's, or, where that is a trusted proxy, the nearest one in `X-Forwarded-For`
 * that is not (reading 9).
 * @param trustedProxies addresses and networks (CIDR)
 */
export function makeVisitorIp(trustedProxies: readonly string[]) {
  const isTrusted = makeIsTrusted(trustedProxies)
  return (head: RequestHead): string => {
    let ip = connectionIp(head)
    const forwarded = (head.header('x-forwarded-for') ?? '').split(',').map(plainIp)
    while (isTrusted(ip)) {
      const before = forwarded.pop()
      if (before === undefined || isIP(before) === 0) break
      ip = before
    }
    return ip
  }
}

export type VisitorIp = ReturnType<typeof makeVisitorIp>

/** @param trustedProxies addresses and networks (CIDR) */
export function makeIsTrusted(trustedProxies: readonly string[]): (ip: string) => boolean {
  const trusted = new BlockList()
  for (const entry of trustedProxies) {
    const [address = '', prefix] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(prefix), family)
  }
  return (ip) => trusted.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
}

/** The address at the other end of the connection: the visitor's, or a proxy's. */
export const connectionIp = ({ remoteAddress }: RequestHead): string => plainIp(remoteAddress)

/** Whom the one at the other end says that it speaks for; undefined where it says nothing. */
export const nearestForwarded = ({ header }: RequestHead): string | undefined => {
  const nearest = header('x-forwarded-for')?.split(',').at(-1)
  return nearest === undefined ? undefined : plainIp(nearest)
}

/** An IPv4 address that came over an IPv6 socket is written as IPv4. Some proxies add the visitor's port. */
const plainIp = (ip: string): string =>
  ip
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '')
