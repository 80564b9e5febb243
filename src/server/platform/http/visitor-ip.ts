import { BlockList, isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { RequestHead } from './request-head.ts'

/**
 * Makes the function that finds the visitor's IP address. Behind a trusted proxy, the visitor's IP address is the
 * nearest untrusted address in `X-Forwarded-For` (reading 9).
 * @param trustedProxies IP addresses and networks (CIDR)
 */
export function makeVisitorIpFinder(trustedProxies: readonly string[]) {
  const isTrusted = makeTrustedProxyCheck(trustedProxies)
  return (head: RequestHead): string => {
    let ip = findConnectionIp(head)
    const forwarded = (head.header('x-forwarded-for') ?? '').split(',').map(normalizeIp)
    while (isTrusted(ip)) {
      const before = forwarded.pop()
      if (before === undefined || isIP(before) === 0) break
      ip = before
    }
    return ip
  }
}

export type VisitorIpFinder = ReturnType<typeof makeVisitorIpFinder>

export function makeTrustedProxyCheck(trustedProxies: readonly string[]): (ip: string) => boolean {
  const trusted = new BlockList()
  for (const entry of trustedProxies) {
    const [address = '', prefix] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(prefix), family)
  }
  return (ip) => trusted.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4')
}

export const findConnectionIp = ({ remoteAddress }: RequestHead): string =>
  normalizeIp(remoteAddress)

/** Returns the last IP address in `X-Forwarded-For`, which the nearest proxy added; undefined without the header. */
export const findForwardedIp = ({ header }: RequestHead): string | undefined => {
  const nearest = header('x-forwarded-for')?.split(',').at(-1)
  return nearest === undefined ? undefined : normalizeIp(nearest)
}

/** Writes an IPv4 address from an IPv6 socket as IPv4, and removes the port that some proxies add. */
const normalizeIp = (ip: string): string =>
  ip
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '')

/**
 * Returns the network whose visitors share a rate limit: an IPv4 address alone, or the whole /64 of an IPv6 address. A
 * household gets at least a /64 (RFC 6177), so one person could otherwise appear as many.
 */
export function toNetwork(ip: string): string {
  if (!isIPv6(ip)) return ip
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) return address.toString()
  const prefix = address.parts.slice(0, 4).map((part) => part.toString(16))
  return `${prefix.join(':')}::/64`
}

/**
 * Lists the networks whose limits a request counts toward, the visitor's own first. Whoever rents an IPv6 /48 has
 * 65,536 networks of their own, so the /56 and the /48 have limits, too. Many households share a /48 at some
 * providers, so these limits are higher: `factor` times the limit of a single household.
 * @param network made by {@link toNetwork}
 */
export function listSharedNetworks(network: string) {
  const own = { network, factor: 1 }
  const [first, second, third, fourth] = network.endsWith('::/64') ? network.split(':') : []
  if (fourth === undefined) return [own]
  const upper = (Number.parseInt(fourth, 16) >> 8).toString(16)
  const site = `${first}:${second}:${third}`
  return [
    own,
    { network: `${site}:${upper}00::/56`, factor: 2 },
    { network: `${site}::/48`, factor: 4 },
  ]
}

export const isLoopback = (ip: string): boolean => ip === '::1' || ip.startsWith('127.')

const privateRanges = new Set(['loopback', 'private', 'uniqueLocal'])

export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** Returns whether a host is loopback, private (RFC 1918, RFC 4193), or a name that only a private network resolves. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) !== 0) return privateRanges.has(ipaddr.process(host).range())
  return host === 'localhost' || /\.(localhost|internal|local)$/.test(host) || !host.includes('.')
}
