import { isIP } from 'node:net'
import type { Settings } from '#server/config/settings.ts'
import { makeIpLookup } from '#server/lookups/ip-lookup.ts'
import { discoverProvider, findErrorCode } from '#server/operators/openid-provider.ts'
import { findConnectionFault } from '#server/platform/call/http-call.ts'
import { assertWritableFolder } from '#server/platform/database/sqlite/data-folder.ts'
import { inspectDatabase, type SchemaState } from '#server/platform/database/store-state.ts'
import { formatSystemError } from '#server/platform/faults/database-errors.ts'

export interface CheckResult {
  readonly name: string
  readonly isOk: boolean
  /** The result for the operator, which names only host and port of an address. */
  readonly message: string
}

/** How long a third party may take to answer, in milliseconds. */
const timeoutMs = 5000

/** The address of Google's public DNS server, which identifies no person. */
const knownIp = '8.8.8.8'

/**
 * Checks all third parties at once. If a request would be billed or count as a lead, it opens a connection but sends no
 * request.
 */
export function checkThirdParties(settings: Settings): Promise<readonly CheckResult[]> {
  const { thirdParties, addressCheck, store, role, console } = settings
  const google = (name: string, url: string | undefined) =>
    toCheckResult(name, async () =>
      addressCheck === 'offline'
        ? 'not used (ADDRESS_CHECK=offline)'
        : checkConnection(url, 'the key was not tried, because Google bills each call'),
    )
  const checks = [
    toCheckResult('distributor', () =>
      checkConnection(
        thirdParties.distributorUrl,
        'no request was sent, because it would count as a lead',
      ),
    ),
    google('geocoding', thirdParties.geocodingUrl),
    google('address validation', thirdParties.addressValidationUrl),
    toCheckResult('IP lookup', () => checkIpLookup(thirdParties.ipLookupUrl)),
    store.databaseUrl === undefined
      ? toCheckResult('data folder', async () => {
          assertWritableFolder(store.dataDir)
          return `${store.dataDir} can be written to`
        })
      : toCheckResult('PostgreSQL', () => checkDatabaseSignIn(store.databaseUrl ?? '')),
  ]
  const { singleSignOn } = console
  if (singleSignOn && (role === 'console' || role === 'all')) {
    const { host } = new URL(singleSignOn.issuer)
    const check = toCheckResult('single sign-on', async () => {
      await discoverProvider(singleSignOn).catch((error: unknown) => {
        throw new Error(`${host} cannot be used (${findErrorCode(error)})`)
      })
      return `${host}: its configuration is usable; sign-in was not tried`
    })
    checks.push(check)
  }
  return Promise.all(checks)
}

/** @param check resolves with a message if all is well, and rejects with the fault */
async function toCheckResult(name: string, check: () => Promise<string>): Promise<CheckResult> {
  try {
    return { name, isOk: true, message: await check() }
  } catch (error) {
    return { name, isOk: false, message: formatSystemError(error) }
  }
}

const describeSchema: Readonly<Record<SchemaState, string>> = {
  empty: 'the database is empty, and the first start creates the schema',
  older: 'the schema is older than this release, and the next start updates it',
  current: 'the schema is current',
  newer: 'the schema is newer than this release, which can use it',
}

async function checkDatabaseSignIn(databaseUrl: string): Promise<string> {
  const { place, schema } = await inspectDatabase(databaseUrl)
  return `${place}: signed in; ${describeSchema[schema]}`
}

const sandbox = 'the sandbox, which starts with the server'

async function checkConnection(url: string | undefined, untested: string): Promise<string> {
  if (url === undefined) return sandbox
  const { host, protocol } = new URL(url)
  const fault = await findConnectionFault(url, timeoutMs)
  if (fault !== undefined) throw new Error(`${host} cannot be reached (${fault})`)
  const how = protocol === 'https:' ? 'TLS with a valid certificate' : 'connected'
  return `${host}: ${how}; ${untested}`
}

/** Calls the IP service, because only an answer shows whether the service is usable. */
async function checkIpLookup(url: string | undefined): Promise<string> {
  if (url === undefined) return sandbox
  if (url === '') return 'not used: the address that the server sees is sent'
  const { host } = new URL(url)
  let outcome = ''
  const onCall = (result: string) => {
    outcome = result === 'broken' ? 'its answer contains no IPv4 address' : result
  }
  const ip = await makeIpLookup({ url, timeoutMs, onCall })(knownIp)
  if (ip === undefined) throw new Error(`${host} is unusable (${outcome}): docs/deploy.md`)
  if (isIP(ip) > 0) return `${host} was asked once, for ${knownIp}, and answered with an IPv4`
  throw new Error(
    `${host} answered “${ip}” for ${knownIp}: every lead would be sent with FALLBACK_IP`,
  )
}
