import { isIP } from 'node:net'
import type { Settings } from '#server/config/settings.ts'
import { placeOf, reach } from '#server/integrations/call/reach.ts'
import { makeIpLookup } from '#server/integrations/ip-lookup/client.ts'

export interface Look {
  readonly what: string
  readonly found: 'right' | 'fault' | 'left out'
  /** For the operator; of an address it names host and port alone. */
  readonly said: string
}

/** How long one may take to answer, in milliseconds. */
const patienceMs = 5000

/** Google's public resolver: no person's address. */
const knownIp = '8.8.8.8'

/** Looks at each, all at once. What would be billed, or count as a lead, is connected to and not called. */
export function lookAtThirdParties({
  thirdParties: given,
  addressCheck,
  store,
}: Settings): Promise<readonly Look[]> {
  const sandbox = 'the sandbox’s, which starts with the server'
  const byConnecting = (what: string, url: string | undefined, why: string) =>
    url === undefined ? right(what, sandbox) : connectTo(what, url, why)
  const google = (what: string, url: string | undefined) =>
    addressCheck === 'offline'
      ? right(what, 'not used (ADDRESS_CHECK=offline)')
      : byConnecting(what, url, 'the key was not tried, as a call is billed')
  return Promise.all([
    byConnecting('distributor', given.distributorUrl, 'no request was made, as it would be a lead'),
    google('geocoding', given.geocodingUrl),
    google('address validation', given.addressValidationUrl),
    given.ipLookupUrl === undefined
      ? right('IP lookup', sandbox)
      : lookUpKnownIp('IP lookup', given.ipLookupUrl),
    ...(store.databaseUrl === undefined
      ? []
      : [connectTo('PostgreSQL', store.databaseUrl, 'nobody signed in')]),
  ])
}

export const right = (what: string, said: string): Look => ({ what, found: 'right', said })

const postgresPort = 5432
const httpPort = 80

async function connectTo(what: string, url: string, why: string): Promise<Look> {
  const place = placeOf(url, url.startsWith('postgres') ? postgresPort : httpPort)
  const reached = await reach(place, patienceMs)
  const where = `${place.host}:${place.port}`
  const how = place.isSecure ? 'TLS with a certificate that holds' : 'connected'
  return reached.ok
    ? right(what, `${where}: ${how}; ${why}`)
    : { what, found: 'fault', said: `${where} cannot be reached (${reached.code})` }
}

/** The one that is called: a look at its answer alone tells whether it is of use. */
async function lookUpKnownIp(what: string, url: string): Promise<Look> {
  if (url === '') return right(what, 'not used: the address that the server sees is sent')
  const { host } = placeOf(url, httpPort)
  let outcome = ''
  const onCall = (came: string) => {
    outcome = came
  }
  const unfit = (why: string): Look => ({
    what,
    found: 'fault',
    said: `${host} is of no use as it is (${why}): docs/deploy.md`,
  })
  const ip = await makeIpLookup({ url, timeoutMs: patienceMs, onCall })(knownIp)
  if (ip !== undefined) {
    if (isIP(ip) === 0) return unfit(`“${ip}” for ${knownIp}: every lead would carry FALLBACK_IP`)
    return right(what, `${host} was asked once, for ${knownIp}, and answered with an IPv4`)
  }
  return unfit(outcome === 'broken' ? 'its answer has no IPv4 to read' : outcome)
}
