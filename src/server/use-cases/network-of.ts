import { isIPv6 } from 'node:net'

/**
 * Whom an address is counted with: an IPv4 address alone, an IPv6 address with its whole /64, which is the least that
 * a household gets (RFC 6177), so that one person cannot be as many as they like.
 */
export function networkOf(ip: string): string {
  if (!isIPv6(ip)) return ip
  const groups = groupsOf(ip)
  const isIpv4Mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xff_ff
  if (isIpv4Mapped) return groups.slice(6).flatMap(bytesOf).join('.')
  return prefixOf(groups, 4)
}

/**
 * Whose leads are thought to be of one sender's making where nothing else tells: an IPv6 /48, which is what a site gets
 * (RFC 6177) and has 65,536 networks, an IPv4 /24. It only says who is asked about later, so it may be as wide as that.
 */
export function neighbourhoodOf(ip: string): string {
  const network = networkOf(ip)
  return isIPv6(ip) && network.includes(':')
    ? prefixOf(groupsOf(ip), 3)
    : `${network.split('.').slice(0, 3).join('.')}.0/24`
}

const prefixOf = (groups: readonly number[], count: number): string =>
  `${groups
    .slice(0, count)
    .map((group) => group.toString(16))
    .join(':')}::/${count * 16}`

export const isLoopback = (ip: string): boolean => ip === '::1' || ip.startsWith('127.')

/** The eight groups of an IPv6 address, as numbers. */
function groupsOf(ip: string): number[] {
  const [plain = ''] = ip.split('%')
  const [head = [], tail = []] = plain.split('::').map(readGroups)
  const zeros = plain.includes('::') ? 8 - head.length - tail.length : 0
  return [...head, ...new Array<number>(zeros).fill(0), ...tail]
}

const readGroups = (text: string): number[] =>
  text === '' ? [] : text.split(':').flatMap(readGroup)

/** The last group may be an IPv4 address, which is two. */
function readGroup(group: string): number[] {
  if (!group.includes('.')) return [Number.parseInt(group, 16)]
  const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
  return [a * 256 + b, c * 256 + d]
}

const bytesOf = (group: number): number[] => [group >> 8, group & 0xff]
