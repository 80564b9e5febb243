import { isIP } from 'node:net'
import type { Settings, SingleSignOnSettings } from '#server/config/settings.ts'
import { makeIpLookup } from '#server/lookups/ip-lookup.ts'
import { discover, errorCode } from '#server/operators/openid-provider.ts'
import { findConnectionFault } from '#server/platform/call/call.ts'
import { assertWritableFolder } from '#server/platform/database/sqlite/data-folder.ts'
import { inspectDatabase, type SchemaState } from '#server/platform/database/store-state.ts'
import { systemMessage } from '#server/platform/faults/database-errors.ts'

export interface CheckResult {
  readonly what: string
  readonly found: 'right' | 'fault' | 'left out'
  /** The result for the operator, which names only host and port of an address. */
  readonly said: string
}

/** How long a third party may take to answer, in milliseconds. */
const timeoutMs = 5000

/** The address of Google's public resolver, which identifies no person. */
const knownIp = '8.8.8.8'

/**
 * Checks all third parties at once. For services where a request would be billed or count as a lead, it opens a
 * connection but sends no request.
 */
export function checkThirdParties({
  thirdParties: given,
  addressCheck,
  store,
  role,
  console,
}: Settings): Promise<readonly CheckResult[]> {
  const sandbox = 'the sandbox’s, which starts with the server'
  const checkConnection = (what: string, url: string | undefined, why: string) =>
    url === undefined ? passed(what, sandbox) : connectTo(what, url, why)
  const google = (what: string, url: string | undefined) =>
    addressCheck === 'offline'
      ? passed(what, 'not used (ADDRESS_CHECK=offline)')
      : checkConnection(what, url, 'the key was not tried, as a call is billed')
  return Promise.all([
    checkConnection(
      'distributor',
      given.distributorUrl,
      'no request was made, as it would be a lead',
    ),
    google('geocoding', given.geocodingUrl),
    google('address validation', given.addressValidationUrl),
    given.ipLookupUrl === undefined
      ? passed('IP lookup', sandbox)
      : checkIpLookup('IP lookup', given.ipLookupUrl),
    store.databaseUrl === undefined
      ? checkDataFolder(store.dataDir)
      : checkDatabaseSignIn(store.databaseUrl),
    ...(console.singleSignOn && (role === 'console' || role === 'all')
      ? [checkIdentityProvider(console.singleSignOn)]
      : []),
  ])
}

function checkDataFolder(dataDir: string): CheckResult {
  try {
    assertWritableFolder(dataDir)
    return passed('data folder', `${dataDir} can be written to`)
  } catch (error) {
    return { what: 'data folder', found: 'fault', said: systemMessage(error) }
  }
}

const describeSchema: Readonly<Record<SchemaState, string>> = {
  empty: 'the database is empty, and the first start creates the schema',
  older: 'the schema is older than this release, and the next start updates it',
  current: 'the schema is current',
  newer: 'the schema is newer than this release, which can use it',
}

async function checkDatabaseSignIn(databaseUrl: string): Promise<CheckResult> {
  try {
    const { place, schema } = await inspectDatabase(databaseUrl)
    return passed(
      'PostgreSQL',
      `${place}: signed in; ${describeSchema[schema]}; the user may write`,
    )
  } catch (error) {
    return { what: 'PostgreSQL', found: 'fault', said: systemMessage(error) }
  }
}

async function checkIdentityProvider(settings: SingleSignOnSettings): Promise<CheckResult> {
  const what = 'single sign-on'
  const { host } = new URL(settings.issuer)
  try {
    await discover(settings)
    return passed(what, `${host}: its configuration fits; nobody signed in`)
  } catch (error) {
    return { what, found: 'fault', said: `${host} cannot be used (${errorCode(error)})` }
  }
}

export const passed = (what: string, said: string): CheckResult => ({ what, found: 'right', said })

async function connectTo(what: string, url: string, why: string): Promise<CheckResult> {
  const { host, protocol } = new URL(url)
  const fault = await findConnectionFault(url, timeoutMs)
  const how = protocol === 'https:' ? 'TLS with a certificate that holds' : 'connected'
  return fault === undefined
    ? passed(what, `${host}: ${how}; ${why}`)
    : { what, found: 'fault', said: `${host} cannot be reached (${fault})` }
}

/** Calls the IP service, because only its answer shows whether it is usable. */
async function checkIpLookup(what: string, url: string): Promise<CheckResult> {
  if (url === '') return passed(what, 'not used: the address that the server sees is sent')
  const { host } = new URL(url)
  let outcome = ''
  const onCall = (came: string) => {
    outcome = came
  }
  const unfit = (why: string): CheckResult => ({
    what,
    found: 'fault',
    said: `${host} is of no use as it is (${why}): docs/deploy.md`,
  })
  const ip = await makeIpLookup({ url, timeoutMs: timeoutMs, onCall })(knownIp)
  if (ip !== undefined) {
    if (isIP(ip) === 0) return unfit(`“${ip}” for ${knownIp}: every lead would carry FALLBACK_IP`)
    return passed(what, `${host} was asked once, for ${knownIp}, and answered with an IPv4`)
  }
  return unfit(outcome === 'broken' ? 'its answer has no IPv4 to read' : outcome)
}
