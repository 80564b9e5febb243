import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Whom an address is counted with: an IPv4 address alone, an IPv6 address with its whole /64, which is the least that
 * a household gets (RFC 6177), so that one person cannot be as many as they like.
 */
export const networkOf = (ip: string): string => prefixOf(ip, 4) ?? ip

/**
 * Whose leads are thought to be of one sender's making where nothing else tells: an IPv6 /48, which is what a site gets
 * (RFC 6177) and has 65,536 networks, an IPv4 /24. It only says who is asked about later, so it may be as wide as that.
 */
export function neighbourhoodOf(ip: string): string {
  const prefix = prefixOf(ip, 3)
  if (prefix?.includes(':')) return prefix
  return `${networkOf(ip).split('.').slice(0, 3).join('.')}.0/24`
}

export const isLoopback = (ip: string): boolean => ip === '::1' || ip.startsWith('127.')

/**
 * The network of an IPv6 address, by its first groups; an IPv4 address where it is one that is written as IPv6. Node says
 * what is an address: nothing is parsed of the others, and the library would take `127.1` for one.
 */
function prefixOf(ip: string, groups: number): string | undefined {
  if (!isIPv6(ip)) return undefined
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) return address.toString()
  const prefix = address.parts.slice(0, groups).map((part) => part.toString(16))
  return `${prefix.join(':')}::/${groups * 16}`
}
