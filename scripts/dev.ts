import { createServer as createHttpServer } from 'node:http'
import { resolve } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { createServer } from 'vite'
import { uiConstantsCss } from '#content/ui-constants.ts'
import type { makeLog as MakeLog } from '#server/observability/log.ts'
import type { readStart as ReadStart } from '#server/start/read-start.ts'
import type { PortName, startFault as StartFault } from '#server/start/start-fault.ts'
import type { Product, startProduct as StartProduct } from '#server/wiring/product.ts'
import { displayFontCss } from '#site/shell/head/display-font.ts'
import { Reloader } from './dev/reloader.ts'
import { faultWords, ToldFault } from './dev/told-fault.ts'

/** What Vite adds to a page, and the styles that a built page has in itself. */
const assets = {
  styles: uiConstantsCss + displayFontCss('/display.woff2'),
  bootstrapScript: '',
  formScript: '/src/site/hydrate.tsx',
  developmentScripts: [
    '/@vite/client',
    '/scripts/react-refresh.js',
    '/src/site/page-styles.ts',
    '/src/site/hydrate.tsx',
  ],
}

const projectFolder = resolve(import.meta.dirname, '..')
const vite = await createServer({
  root: projectFolder,
  appType: 'custom',
  server: { middlewareMode: true, watch: { ignored: ['**/data/**', '**/dist/**'] } },
})

const load = <Module>(path: string) => vite.ssrLoadModule(path) as Promise<Module>

/** The log stands for good: each would listen to the process's end. */
let log: ReturnType<typeof MakeLog> | undefined
let place = { host: '', port: 0 }
/** In the operator's words, where it is theirs to mend. */
let toldOf = (error: unknown, _portName: PortName): unknown => error

const reloader = new Reloader<Product>({
  prepare: async () => {
    vite.environments.ssr.moduleGraph?.invalidateAll()
    const { readStart } = await load<{ readStart: typeof ReadStart }>(
      '/src/server/start/read-start.ts',
    )
    const { makeLog } = await load<{ makeLog: typeof MakeLog }>('/src/server/observability/log.ts')
    const { startProduct } = await load<{ startProduct: typeof StartProduct }>(
      '/src/server/wiring/product.ts',
    )
    const { startFault } = await load<{ startFault: typeof StartFault }>(
      '/src/server/start/start-fault.ts',
    )
    const read = readStart(projectFolder)
    if (!read.ok) throw new ToldFault(read.words)
    const { settings, programs, words } = read
    log ??= makeLog(settings.logLevel)
    place = settings
    toldOf = (error, portName) => {
      const words = startFault(error, portName, settings.store)
      return words === undefined ? error : new ToldFault(`It cannot start. ${words}`)
    }
    const parts = { settings, programs, words, assets, clientFolder: undefined, log }
    return () =>
      startProduct(parts).catch((error: unknown) => {
        throw toldOf(error, 'SANDBOX_PORT')
      })
  },
  stop: (product) => product.stop(1000).then(() => undefined),
  onFault: (error) => vite.config.logger.error(faultWords(error)),
})

if (!(await reloader.reload())) process.exit(1)

// The browser refreshes components by itself; the server starts over, as its pages and rules may have changed. A file
// that was missing may be what the last reload failed for.
vite.watcher.on('all', async (_, path) => {
  const isOurs = ['src', 'content'].some((folder) => path.startsWith(`${projectFolder}/${folder}/`))
  if (!isOurs && !path.endsWith('programs.csv')) return
  const isReloaded = await reloader.reload()
  if (isReloaded && !path.includes('/src/site/enquiry/') && !path.includes('/src/ui/')) {
    vite.environments.client.hot.send({ type: 'full-reload' })
  }
})

const listener = getRequestListener(async (request, env) => {
  const product = await reloader.current().catch((error: unknown) => faultWords(error))
  if (typeof product !== 'string') return product.fetch(request, env)
  return new Response(`It could not be started. What you save next is tried.\n\n${product}\n`, {
    status: 500,
  })
})
const { host, port } = place
const server = createHttpServer((request, response) => {
  vite.middlewares(request, response, () => listener(request, response))
})
server.on('error', (error) => {
  vite.config.logger.error(faultWords(toldOf(error, 'PORT')))
  process.exit(1)
})
server.listen(port, host, async () => {
  const { sandboxUrl } = await reloader.current()
  console.error(`\n  Site, reloading as you edit: http://${host}:${port}`)
  console.error(`  Sandbox: ${sandboxUrl}\n`)
})
