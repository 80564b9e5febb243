import dns, { type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { buildConnector } from 'undici'
import { hasCredentials } from '../url-credentials.ts'

/** The error code of connections that this module refuses; other failures have the operating system's code. */
const notPublicCode = 'NOT_PUBLIC'

/** The global unicast addresses of IPv6 (RFC 4291). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an IP address belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.process(address)
  return (
    parsed.range() === 'unicast' &&
    (parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast[0], globalUnicast[1]))
  )
}

const makeRefusal = (): NodeJS.ErrnoException =>
  Object.assign(new Error('the address is not public'), { code: notPublicCode })

/**
 * Looks up a host's IP addresses for the socket that connects to them, so that no second lookup can find others.
 * Refuses the host if any of the addresses is not public.
 */
const lookUpPublic: LookupFunction = (host, options, callback) =>
  dns.lookup(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const [first] = addresses ?? []
    if (error !== null || first === undefined) callback(error ?? makeRefusal(), '')
    else if (!addresses.every(({ address }) => isPublicAddress(address)))
      callback(makeRefusal(), '')
    else if (options.all) callback(null, addresses)
    else callback(null, first.address, first.family)
  })

const connect = buildConnector({ timeout: 0, lookup: lookUpPublic })

/** Connects only over https, to public hosts. Node calls `lookup` only for names, so this function checks IP addresses. */
export const connectPublicly: buildConnector.connector = (options, callback) => {
  const host = options.hostname.replace(/^\[|\]$/g, '')
  const isRefused = options.protocol !== 'https:' || (isIP(host) !== 0 && !isPublicAddress(host))
  if (isRefused) callback(makeRefusal(), null)
  else connect(options, callback)
}

/** Common servers refuse longer URLs. */
const maxUrlLength = 2000

/**
 * Describes what is wrong with the URL of a webhook or postback; undefined if nothing is. Does not look up the host,
 * whose IP addresses may change: each call checks them.
 * @param allowsLocal whether the URL may use http and a host in a private network, as in demo mode
 */
export function findUrlFault(text: string, allowsLocal: boolean): string | undefined {
  if (text.length > maxUrlLength) return `Use ${maxUrlLength} characters or fewer.`
  const url = URL.parse(text)
  const schemes = allowsLocal ? ['https:', 'http:'] : ['https:']
  if (url === null || !schemes.includes(url.protocol))
    return 'Enter a URL that begins with https://.'
  if (hasCredentials(text))
    return 'Enter a URL without a user name and a password; write any other @ as %40.'
  const host = url.hostname.replace(/^\[|[\].]$/g, '')
  const isLocal = isIP(host) === 0 ? /(^|\.)localhost$/.test(host) : !isPublicAddress(host)
  return isLocal && !allowsLocal
    ? 'Enter a URL with a public address: this one leads to a private network or to this machine.'
    : undefined
}
