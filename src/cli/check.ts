import { isIP } from 'node:net'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { SiteTexts } from '#content/site-texts.ts'
import { areaPath, areas } from '#domain/area.ts'
import { findAreaPrograms } from '#domain/catalogue/catalogue.ts'
import { day } from '#domain/durations.ts'
import { listAssertedFields } from '#domain/lead/asserted-fields.ts'
import { pluralize } from '#domain/text/formats.ts'
import { findAlertFormat } from '#server/alerts/send-alert.ts'
import { readSettings } from '#server/config/read-settings.ts'
import type { Settings, SingleSignOnSettings } from '#server/config/settings.ts'
import { findStrayPictures, findStrayTexts } from '#server/content/find-stray-files.ts'
import { catalogueFile, readCatalogue } from '#server/content/read-catalogue.ts'
import { contentFolder, findContentMode, readContent } from '#server/content/read-content.ts'
import { makeIpLookup } from '#server/lookups/lookup-service.ts'
import { discoverProvider, explainProviderFault } from '#server/operators/openid-provider.ts'
import { findConnectionFault } from '#server/platform/call/http-call.ts'
import { assertWritableFolder } from '#server/platform/database/sqlite/data-folder.ts'
import { inspectPostgres, type SchemaState } from '#server/platform/database/store-state.ts'
import { formatSystemError } from '#server/platform/faults/database-errors.ts'
import { makeCommand, makeCommandGroup } from './command.ts'
import { CommandError, exitCodes } from './errors.ts'
import { projectFolder } from './store.ts'
import { formatBullets, formatTable } from './terminal.ts'

export const makeCheckCommands = (): readonly Command[] => [
  makeCommand(
    'check',
    'checks settings, catalogue, texts, store and third parties, without starting a server (npm run check)',
    ['check'],
    `
This command starts no server, changes no store, and sends no lead. It connects to the distributor and to Google, but sends them
no request. It signs in to PostgreSQL, and calls the IP lookup service and the single sign-on provider once.
Exit code: 0 without faults, 78 with faults; all are listed.`,
  ).reports(runCheck),
  makeCommandGroup('catalogue', 'the programs on offer', 'check', [
    makeCommand(
      'check',
      'checks a list of programs, and counts the programs that each page would offer',
      ['catalogue check', 'catalogue check programs-of-december.csv'],
      `${exitCodesHelp}catalogue/README.md describes the columns.`,
    )
      .argument('[file]', `the file to check (default: ${catalogueFile})`)
      .reports(checkCatalogue),
  ]),
  makeCommandGroup('content', 'your texts and colors', 'check', [
    makeCommand(
      'check',
      'checks your texts and colors, and lists statistics to check again',
      ['content check', 'content check texts-of-december'],
      `${exitCodesHelp}content/README.md describes the files.`,
    )
      .argument('[folder]', `the folder to check (default: ${contentFolder})`)
      .reports(checkContent),
  ]),
]

const formatWarnings = (warnings: readonly string[]): string =>
  warnings.length > 0 ? `\n\nWarnings:${formatBullets(warnings)}` : ''

async function runCheck() {
  const checks = await runAllChecks()
  const faults = checks.filter(({ isOk }) => !isOk).length
  const rows = checks.map(({ name, isOk, message }) => [isOk ? 'ok' : 'FAULT', name, message])
  const message = `${pluralize(faults, 'fault')}. A server would not start, or would not work, with these settings.`
  return {
    json: { ok: faults === 0, checks },
    text: formatTable(['Result', 'Subject', 'Details'], rows),
    error: faults === 0 ? undefined : new CommandError(message, exitCodes.configuration),
  }
}

async function runAllChecks(): Promise<readonly CheckResult[]> {
  const ok = (name: string, message: string) => [{ name, isOk: true, message }]
  const faults = (name: string, messages: readonly string[]) =>
    messages.map((message) => ({ name, isOk: false, message }))
  const catalogue = readCatalogue(resolve(projectFolder, catalogueFile))
  const texts = resolve(projectFolder, contentFolder)
  const content = readContent(texts, findContentMode())
  const strays = findStrayFiles()
  const settings = readSettings(process.env)
  return [
    ...(settings.ok
      ? ok('settings', `${settings.settings.mode}, ROLE=${settings.settings.role}`)
      : faults('settings', settings.faults)),
    ...(catalogue.ok
      ? ok('catalogue', `${pluralize(catalogue.programs.length, 'program')} on offer`)
      : faults('catalogue', catalogue.faults)),
    ...(content.ok
      ? ok('texts', `${pluralize(areas.length, 'landing page')} in ${contentFolder}/`)
      : faults('texts', content.faults)),
    ...[...strays, ...(content.ok ? findInventedFacts(texts) : [])].flatMap((warning) =>
      ok('texts', `Warning: ${warning}`),
    ),
    ...(content.ok
      ? listAssertedFields(content.texts.shared.disclosureCovers).flatMap(({ field, how }) =>
          ok('asserted', `${field}: ${how}`),
        )
      : []),
    // Faulty settings may name the wrong third parties, so no third party is contacted.
    ...(settings.ok ? await checkThirdParties(settings.settings) : []),
  ]
}

const exitCodesHelp =
  '\nThis command needs no server and no store. Exit code: 0 without faults, 78 with faults; all are listed with their lines.\n'

function checkCatalogue(given: string | undefined) {
  const name = given ?? catalogueFile
  const read = readCatalogue(given ?? resolve(projectFolder, catalogueFile))
  if (!read.ok) return reportFaults(name, read.faults)
  const { programs, notOffered } = read
  const offers = areas.map((area) => {
    const own = findAreaPrograms(programs, area)
    return { area, programs: own.length, featured: own.filter(({ active }) => active).length }
  })
  const rows = offers.map((offer) => [
    areaPath(offer.area),
    String(offer.programs),
    String(offer.featured),
  ])
  const out = notOffered.map(({ id, name }) => `\n  ${id}  ${name}`).join('')
  return {
    json: { ...read, areas: offers },
    text:
      `${name} has no faults. On offer: ${pluralize(programs.length, 'program')}.\n\n` +
      formatTable(['Page', 'Programs', 'Featured'], rows) +
      (out && `\n\nNot on offer:${out}`),
  }
}

function reportFaults(name: string, faults: readonly string[]) {
  const message = `${name} has faults, and no server starts with it:${formatBullets(faults)}`
  return {
    json: { ok: false, faults },
    error: new CommandError(message, exitCodes.configuration),
  }
}

function checkContent(given: string | undefined) {
  const folder = given ?? resolve(projectFolder, contentFolder)
  const read = readContent(folder, findContentMode())
  const strays = given === undefined ? findStrayFiles() : findStrayTexts(folder)
  // A file with another name may be the one that a page misses.
  if (!read.ok) return reportFaults(folder, [...read.faults, ...strays])
  const warnings = [
    ...strays,
    ...findInventedFacts(folder),
    ...findUncheckedFigures(read.texts, Date.now()),
  ]
  const pages = Object.keys(read.texts.legal).length
  const counts = `${pluralize(areas.length, 'landing page')}, ${pluralize(pages, 'legal page')}`
  return {
    json: { ok: true, warnings },
    text: `${folder} has no faults: ${counts}.${formatWarnings(warnings)}`,
  }
}

const findStrayFiles = (): readonly string[] => [
  ...findStrayTexts(resolve(projectFolder, contentFolder)),
  ...findStrayPictures(resolve(projectFolder, 'site-pictures')),
]

/** Lists the invented facts that production would refuse; texts with other faults have no list. */
function findInventedFacts(folder: string): readonly string[] {
  const inDemo = readContent(folder, 'demo')
  const inProduction = readContent(folder, 'production')
  return inDemo.ok && !inProduction.ok ? inProduction.faults : []
}

const yearInMs = 365 * day

/** Lists the statistics on pages that nobody has checked for a year, because their sources may have changed. */
function findUncheckedFigures(texts: SiteTexts, now: number): readonly string[] {
  const old = areas
    .flatMap((area) => texts.areas[area].reasons.flatMap(({ figure }) => figure ?? []))
    .filter(({ checked }) => now - Date.parse(checked) > yearInMs)
    .map(
      ({ figure, label, checked, source }) =>
        `${figure} ${label}: looked up on ${checked}, ${source}`,
    )
  return [...new Set(old)]
}

interface CheckResult {
  readonly name: string
  readonly isOk: boolean
  /** The finding, in words for the operator. Of a URL, it names only the host and the port. */
  readonly message: string
}

/** How long a third party may take to answer, in milliseconds. */
const timeoutMs = 5000

/** The IP address of Google's public DNS server, which identifies no person. */
const knownIp = '8.8.8.8'

const checkThirdParties = (settings: Settings): Promise<readonly CheckResult[]> =>
  Promise.all(
    Object.entries(listChecks(settings)).map(async ([name, check]) => {
      try {
        return { name, isOk: true, message: await check() }
      } catch (error) {
        return { name, isOk: false, message: formatSystemError(error) }
      }
    }),
  )

/** If a request would be billed or count as a lead, its check only opens a connection. */
function listChecks(settings: Settings): Readonly<Record<string, () => Promise<string>>> {
  const { thirdParties, addressCheck, store, role, console } = settings
  const { databaseUrl, dataDir } = store
  const { singleSignOn } = console
  const checkGoogle = async (url: string | undefined) =>
    addressCheck === 'offline'
      ? 'not used (ADDRESS_CHECK=offline)'
      : checkConnection(url, 'the key was not tried, because Google bills each call')
  return {
    distributor: () =>
      checkConnection(
        thirdParties.distributorUrl,
        'no request was sent, because it would count as a lead',
      ),
    geocoding: () => checkGoogle(thirdParties.geocodingUrl),
    'address validation': () => checkGoogle(thirdParties.addressValidationUrl),
    'IP lookup': () => checkIpLookup(thirdParties.ipLookupUrl),
    alerts: () => checkAlerts(settings),
    ...(databaseUrl === undefined
      ? { 'data folder': () => checkDataFolder(dataDir) }
      : { PostgreSQL: () => checkDatabaseSignIn(databaseUrl) }),
    ...(singleSignOn &&
      (role === 'console' || role === 'all') && {
        'single sign-on': () => checkProvider(singleSignOn),
      }),
  }
}

async function checkProvider(provider: SingleSignOnSettings): Promise<string> {
  const { host } = new URL(provider.issuer)
  await discoverProvider(provider).catch((error: unknown) => {
    throw new Error(`${host} cannot be used (${explainProviderFault(error)})`)
  })
  return `${host}: its configuration is usable; sign-in was not tried`
}

async function checkDataFolder(dataDir: string): Promise<string> {
  assertWritableFolder(dataDir)
  return `${dataDir} can be written to`
}

const describeSchema: Readonly<Record<SchemaState, string>> = {
  empty: 'the database is empty, and the first start creates the schema',
  older: 'the schema is older than this version, and the next start updates it',
  current: 'the schema is current',
  newer: 'the schema is newer than this version, but this version can use it',
}

async function checkDatabaseSignIn(databaseUrl: string): Promise<string> {
  const { place, schema } = await inspectPostgres(databaseUrl)
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

async function checkAlerts({ alertWebhookUrl: url, alertWebhookFormat: format }: Settings) {
  if (url === undefined) return 'not used: ALERT_WEBHOOK_URL is not set'
  const found = findAlertFormat({ url, format })
  const untested = `posts as ${found} (ALERT_WEBHOOK_FORMAT=${format}); “alerts test” posts a test`
  try {
    return `ALERT_WEBHOOK_URL: ${await checkConnection(url, untested)}`
  } catch (error) {
    throw new Error(`ALERT_WEBHOOK_URL: ${formatSystemError(error)}`)
  }
}

/** Calls the IP lookup service, because only its answer shows whether the service is usable. */
async function checkIpLookup(url: string | undefined): Promise<string> {
  if (url === undefined) return sandbox
  if (url === '') return 'not used: leads are sent with the IP address that the server sees'
  const { host } = new URL(url)
  let outcome = ''
  const onCall = (result: string) => {
    outcome = result === 'broken' ? 'its answer contains no IPv4 address' : result
  }
  const ip = await makeIpLookup({ url, timeoutMs, onCall })(knownIp)
  if (ip === undefined) throw new Error(`${host} is unusable (${outcome}): docs/deploy.md`)
  if (isIP(ip) > 0) return `${host} answered a call for ${knownIp} with an IP address`
  throw new Error(
    `${host} answered “${ip}” for ${knownIp}, which is not an IP address: every lead would be sent with FALLBACK_IP`,
  )
}
