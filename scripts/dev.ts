import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { createServer } from 'vite'
import { uiConstantsCss } from '#content/ui-constants.ts'
import type { Settings } from '#server/config/settings.ts'
import type * as Log from '#server/platform/observability/log.ts'
import { startVisitScript } from '#site/enquiry/bootstrap-script.ts'
import { makeFontCss } from '#site/shell/page-assets.ts'
import type * as StartFault from '#start/describe-start-fault.ts'
import type { PortSettingName } from '#start/describe-start-fault.ts'
import type * as ReadStartInput from '#start/read-start-input.ts'
import type * as WiredProduct from '#start/wiring/product.ts'
import type { Product } from '#start/wiring/product.ts'
import { describeFault, needsReload, OperatorFault, Reloader } from './reloader.ts'

/** The scripts that Vite adds to a page, and the styles that a built page contains. */
const assets = {
  styles: uiConstantsCss + makeFontCss('/display.woff2'),
  bootstrapScript: startVisitScript,
  formScript: '/src/site/enquiry/hydrate.tsx',
  developmentScripts: [
    '/@vite/client',
    '/scripts/react-refresh.js',
    '/src/site/page-styles.ts',
    '/src/site/enquiry/hydrate.tsx',
  ],
}

/** The scripts and styles of the console's pages. A changed script or style reloads the page. */
const consoleAssets = {
  styles: '',
  pageScript: '/src/console/browser/every-page.ts',
  passkeyScript: '/src/console/browser/passkey.ts',
  developmentScripts: ['/@vite/client', '/src/console/page-styles.ts'],
}

const projectFolder = resolve(import.meta.dirname, '..')
const vite = await createServer({
  root: projectFolder,
  appType: 'custom',
  server: { middlewareMode: true, watch: { ignored: ['**/data/**', '**/dist/**'] } },
})

const load = <Module>(path: string) => vite.ssrLoadModule(path) as Promise<Module>

/** The log is created once, because each log adds a listener for the end of the process. */
let log: ReturnType<typeof Log.makeLog> | undefined
type Place = Pick<Settings, 'host' | 'port'>
let places: { readonly site: Place; readonly console: Place } | undefined
/** The console's port, which the product uses again after a restart. */
let consolePort = 0
/** Turns an error into a message for the operator, if the operator can repair it. */
let describeOperatorFault = (error: unknown, _portName: PortSettingName): unknown => error

const reloader = new Reloader<Product>({
  prepare: async () => {
    vite.environments.ssr.moduleGraph?.invalidateAll()
    const { readStartInput: readStart } = await load<typeof ReadStartInput>(
      '/src/start/read-start-input.ts',
    )
    const { makeLog } = await load<typeof Log>('/src/server/platform/observability/log.ts')
    const { startProduct } = await load<typeof WiredProduct>('/src/start/wiring/product.ts')
    const { describeStartFault: startFault } = await load<typeof StartFault>(
      '/src/start/describe-start-fault.ts',
    )
    const read = readStart(projectFolder)
    if (!read.ok) throw new OperatorFault(read.message)
    const { settings, programs, texts } = read
    log ??= makeLog(settings.logLevel)
    places = { site: settings, console: settings.console }
    describeOperatorFault = (error, portName) => {
      const words = startFault(error, portName, settings.store)
      return words === undefined ? error : new OperatorFault(`The product cannot start. ${words}`)
    }
    const parts = { settings, programs, texts, assets, consoleAssets, clientFolder: undefined, log }
    return () =>
      startProduct(parts).then(
        async (product) => {
          // At the first start, the console's port isn't known yet.
          if (consolePort > 0) await product.console?.listening(consolePort)
          return product
        },
        (error: unknown) => {
          throw describeOperatorFault(error, 'SANDBOX_PORT')
        },
      )
  },
  stop: (product) => product.stop(1000).then(() => undefined),
  onFault: (error) => vite.config.logger.error(describeFault(error)),
})

if (!(await reloader.reload())) process.exit(1)

// The browser updates components by itself. The server restarts, because its pages and rules may have changed. A new
// file may repair the last failed reload.
vite.watcher.on('all', async (_, path) => {
  const isOurs = ['src', 'content'].some((folder) => path.startsWith(`${projectFolder}/${folder}/`))
  if (!isOurs && !path.endsWith('programs.csv')) return
  if ((await reloader.reload()) && needsReload(path)) {
    vite.environments.client.hot.send({ type: 'full-reload' })
  }
})

type Fetch = (request: Request, env: unknown) => Response | Promise<Response>

/** @param fetchOf picks the part of the product that answers on this port */
async function listenOn(
  { host, port }: Place,
  portName: PortSettingName,
  fetchOf: (product: Product) => Fetch,
): Promise<number> {
  const listener = getRequestListener(async (request, env) => {
    const product = await reloader.current().catch((error: unknown) => describeFault(error))
    if (typeof product !== 'string') return fetchOf(product)(request, env)
    return new Response(
      `The product could not be started. Save a correction to try again.\n\n${product}\n`,
      {
        status: 500,
      },
    )
  })
  const server = createHttpServer((request, response) => {
    vite.middlewares(request, response, () => listener(request, response))
  })
  server.on('error', (error) => {
    vite.config.logger.error(describeFault(describeOperatorFault(error, portName)))
    process.exit(1)
  })
  await once(server.listen(port, host), 'listening')
  return (server.address() as AddressInfo).port
}

const { console: startedConsole, sandboxUrl } = await reloader.current()
const { site, console: consolePlace } = places ?? {}
const lines: string[] = []
if (site) {
  const port = await listenOn(site, 'PORT', ({ fetch }) => fetch)
  lines.push(`Site, reloading as you edit: http://${site.host}:${port}`)
}
if (startedConsole && consolePlace) {
  const gone = () => new Response('There is no console in this role.', { status: 404 })
  consolePort = await listenOn(
    consolePlace,
    'CONSOLE_PORT',
    (product) => product.console?.fetch ?? gone,
  )
  lines.push(`Console, reloading as you edit: ${await startedConsole.listening(consolePort)}`)
}
lines.push(`Sandbox: ${sandboxUrl}`)
console.error(`\n${lines.map((line) => `  ${line}\n`).join('')}`)
