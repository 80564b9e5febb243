import { resolve } from 'node:path'
import { readConsoleAssets } from '#console/console-app.tsx'
import type { Settings } from '#server/config/settings.ts'
import { StoreMovedError } from '#server/platform/database/store-state.ts'
import { type CloseTimeouts, listen } from '#server/platform/http/listen.ts'
import { buildId, makeLog, productVersion } from '#server/platform/observability/log.ts'
import { readPageAssets } from '#site/shell/assets.ts'
import { type Product, startProduct } from '#start/wiring/product.ts'
import { formatBanner, formatUrl, notifySystemd } from './announce-start.ts'
import { describeStartFault, exitOnFault, type PortSettingName } from './describe-start-fault.ts'
import { answerHelpOptions, readStartInput, reloadOnSignal } from './read-start-input.ts'
import { exitOnDamage, makeShutdown } from './stop-on-signal.ts'

/** EX_CONFIG of sysexits.h. */
const configurationFault = 78

// The build writes this program to dist/server/main.js.
const projectFolder = resolve(import.meta.dirname, '../..')
const clientFolder = resolve(projectFolder, 'dist/client')
const consoleFolder = resolve(projectFolder, 'dist/console')

answerHelpOptions(process.argv.slice(2))
const read = readStartInput(projectFolder)
if (!read.ok) {
  process.stderr.write(read.message)
  process.exit(configurationFault)
}
const { settings, programs, texts } = read
const log = makeLog(settings.logLevel)
exitOnFault(log, settings.store)
const starting = startProduct({
  settings,
  programs,
  texts,
  assets: readPageAssets(clientFolder),
  clientFolder,
  consoleAssets: readConsoleAssets(consoleFolder),
  consoleFolder,
  documentFolder: resolve(projectFolder, 'docs'),
  log,
})
// A terminal that closes sends SIGHUP, which should end a product that was started there, not reload its files.
const isOnTerminal = process.stdin.isTTY === true
if (!isOnTerminal) reloadOnSignal(starting, projectFolder, log)
const product = await starting.catch((error: unknown) => exitWithFault(error, 'SANDBOX_PORT'))
const server = await startListeners(settings, product, async (error, portName) => {
  await product.stop(0)
  return exitWithFault(error, portName)
})
const signals = ['SIGTERM', 'SIGINT', ...(isOnTerminal ? ['SIGHUP'] : [])]
const stop = makeShutdown({ server, product, log, drainDelay: settings.drainDelay })
for (const signal of signals) process.on(signal, () => stop())
void exitOnDamage(product, { log, stop })
const { NOTIFY_SOCKET } = process.env
process.stderr.write(
  formatBanner(settings, {
    ...server,
    sandboxUrl: product.sandboxUrl,
    isUnderSystemd: Boolean(NOTIFY_SOCKET),
  }),
)
log.info(
  {
    version: productVersion,
    build: buildId,
    port: server.port,
    consolePort: server.consolePort,
    role: settings.role,
    mode: settings.mode,
  },
  'ready',
)
await notifySystemd(
  NOTIFY_SOCKET,
  `${productVersion}, ${formatUrl(settings.host, server.port)}`,
  log,
)

function exitWithFault(error: unknown, portName: PortSettingName): never {
  const words = describeStartFault(error, portName, settings.store)
  if (words === undefined) throw error
  process.stderr.write(`The product cannot start. ${words}\n`)
  process.exit(error instanceof StoreMovedError ? configurationFault : 1)
}

/**
 * Listens for visitors, operators or both, depending on the role.
 * @param onFault called if the process cannot listen on a port; the process then listens on none
 */
async function startListeners(
  settings: Settings,
  product: Product,
  onFault: (error: unknown, portName: PortSettingName) => Promise<never>,
) {
  const site =
    settings.role === 'console'
      ? undefined
      : await listen({ ...settings, ...product }).catch((error) => onFault(error, 'PORT'))
  const { console } = product
  const consoleListener =
    console &&
    (await listen({ ...settings.console, ...console }).catch(async (error) => {
      await site?.close({ requests: 0 })
      return onFault(error, 'CONSOLE_PORT')
    }))
  const listeners = [site, consoleListener].filter((listener) => listener !== undefined)
  return {
    port: site?.port ?? consoleListener?.port ?? 0,
    consolePort: consoleListener?.port,
    consoleUrl: consoleListener && (await console?.listening(consoleListener.port)),
    drain: () => {
      for (const { drain } of listeners) drain()
    },
    close: async (timeouts: CloseTimeouts) => {
      await Promise.all(listeners.map(({ close }) => close(timeouts)))
    },
  }
}
