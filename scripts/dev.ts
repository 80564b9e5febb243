import { createServer as createHttpServer } from 'node:http'
import { resolve } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { createServer } from 'vite'
import { uiConstantsCss } from '#content/ui-constants.ts'
import type { makeLog as MakeLog } from '#server/log.ts'
import type { Product, startProduct as StartProduct } from '#server/product.ts'
import type { readStart as ReadStart } from '#server/read-start.ts'

/** What Vite adds to a page, and the styles that a built page has in itself. */
const assets = {
  styles: uiConstantsCss,
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

async function start(): Promise<{ product: Product; host: string; port: number }> {
  const { readStart } = await load<{ readStart: typeof ReadStart }>('/src/server/read-start.ts')
  const { makeLog } = await load<{ makeLog: typeof MakeLog }>('/src/server/log.ts')
  const { startProduct } = await load<{ startProduct: typeof StartProduct }>(
    '/src/server/product.ts',
  )
  const { settings, programs } = readStart(projectFolder)
  const log = makeLog(settings.logLevel)
  const product = await startProduct({ settings, programs, assets, clientFolder: undefined, log })
  return { product, host: settings.host, port: settings.port }
}

let running = await start()
let restart: Promise<void> = Promise.resolve()

// The browser refreshes components by itself; the server starts over, as its pages and rules may have changed.
vite.watcher.on('change', (path) => {
  if (!path.startsWith(`${projectFolder}/src/`) && !path.endsWith('programs.csv')) return
  restart = restart.then(async () => {
    await running.product.stop(1000)
    vite.environments.ssr.moduleGraph?.invalidateAll()
    running = await start()
    if (!path.includes('/src/site/enquiry/') && !path.includes('/src/site/ui/')) {
      vite.environments.client.hot.send({ type: 'full-reload' })
    }
  })
  restart.catch((error: Error) => {
    vite.config.logger.error(error.stack ?? error.message)
  })
})

const listener = getRequestListener(async (request, env) => {
  await restart.catch(() => undefined)
  return running.product.fetch(request, env)
})
createHttpServer((request, response) => {
  vite.middlewares(request, response, () => listener(request, response))
}).listen(running.port, running.host, () => {
  console.error(`\n  Site, reloading as you edit: http://${running.host}:${running.port}`)
  console.error(`  Sandbox: ${running.product.sandboxUrl}\n`)
})
