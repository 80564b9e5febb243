import { resolve } from 'node:path'
import { builtConsoleAssets } from '#server/console-pages/built-console-assets.ts'
import { StoreMovedError } from '#server/platform/database/store-state.ts'
import { makeLog, productBuild, productVersion } from '#server/platform/observability/log.ts'
import { builtAssets } from '#server/site-pages/assets.ts'
import { addressOf, banner, notifySystemd } from './announce-start.ts'
import { readArguments, readStart } from './read-start.ts'
import { reloadOnSignal } from './reload-on-signal.ts'
import { endOnFault, type PortName, startFault } from './start-fault.ts'
import { startListeners } from './start-listeners.ts'
import { endOnDamage, makeStop } from './stop-on-signal.ts'
import { startProduct } from './wiring/product.ts'

/** EX_CONFIG of sysexits.h. */
const configurationFault = 78

// The built file is dist/server/main.js.
const projectFolder = resolve(import.meta.dirname, '../..')
const clientFolder = resolve(projectFolder, 'dist/client')
const consoleFolder = resolve(projectFolder, 'dist/console')

readArguments(process.argv.slice(2))
const read = readStart(projectFolder)
if (!read.ok) {
  process.stderr.write(read.words)
  process.exit(configurationFault)
}
const { settings, programs, words } = read
const log = makeLog(settings.logLevel)
endOnFault(log, settings.store)
const starting = startProduct({
  settings,
  programs,
  words,
  assets: builtAssets(clientFolder),
  clientFolder,
  consoleAssets: builtConsoleAssets(consoleFolder),
  consoleFolder,
  log,
})
// A closing terminal also sends SIGHUP, which should end a product that was started there, not reload its catalogue.
const isOnTerminal = process.stdin.isTTY === true
if (!isOnTerminal) reloadOnSignal(starting, projectFolder, log)
const product = await starting.catch((error: unknown) => giveUp(error, 'SANDBOX_PORT'))
const server = await startListeners(settings, product, async (error, portName) => {
  await product.stop(0)
  return giveUp(error, portName)
})
const signals = ['SIGTERM', 'SIGINT', ...(isOnTerminal ? ['SIGHUP'] : [])]
const stop = makeStop({ server, product, log, drainDelay: settings.drainDelay })
for (const signal of signals) process.on(signal, () => stop())
void endOnDamage(product, { log, stop })
const { NOTIFY_SOCKET } = process.env
process.stderr.write(
  banner(settings, { ...server, sandboxUrl: product.sandboxUrl, isUnit: Boolean(NOTIFY_SOCKET) }),
)
log.info(
  {
    version: productVersion,
    build: productBuild,
    port: server.port,
    consolePort: server.consolePort,
    role: settings.role,
    mode: settings.mode,
  },
  'ready',
)
await notifySystemd(
  NOTIFY_SOCKET,
  `${productVersion}, ${addressOf(settings.host, server.port)}`,
  log,
)

function giveUp(error: unknown, portName: PortName): never {
  const words = startFault(error, portName, settings.store)
  if (words === undefined) throw error
  process.stderr.write(`The product cannot start. ${words}\n`)
  process.exit(error instanceof StoreMovedError ? configurationFault : 1)
}
