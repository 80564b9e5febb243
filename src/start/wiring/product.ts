import { hostname } from 'node:os'
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import { makeConsoleApp } from '#console/console-app.tsx'
import type { ConsoleAssets } from '#console/shell/shell.tsx'
import { startSandbox } from '#sandbox/start-sandbox.ts'
import type { Settings } from '#server/config/settings.ts'
import { formatServerName } from '#server/platform/database/lead-database.ts'
import { closeOnFailure } from '#server/platform/database/run-and-close.ts'
import { makeClockWatch } from '#server/platform/database/store-clock.ts'
import { openStore, type Store } from '#server/store/open-store.ts'
import { makeSiteApp } from '#site/site-app.ts'
import type { SiteSetup } from '#site/site-services.ts'
import { makeBackgroundLoops } from './background-loops.ts'
import { makeSharedDependencies } from './shared-dependencies.ts'
import { makeWorkerRole } from './worker-role.ts'

export interface ProductOptions
  extends Pick<SiteSetup, 'programs' | 'texts' | 'assets' | 'clientFolder'> {
  readonly settings: Settings
  readonly log: Logger
  /** The folder of the console's build; without it, pages have neither styles nor scripts. */
  readonly consoleFolder?: string | undefined
  readonly consoleAssets?: ConsoleAssets
  /** The folder of the documents that the console shows; by default `docs` in the working directory. */
  readonly documentFolder?: string
  /** The machine's clock, in epoch milliseconds. On PostgreSQL, the database's clock decides: see store-clock.ts. */
  readonly clock?: () => number
  /** Replaces the function that opens the store, for a benchmark that measures the store's cost. */
  readonly open?: typeof openStore
}

/** Builds and connects all parts of the product. If this function rejects, nothing runs or stays open. */
export async function startProduct(options: ProductOptions) {
  const { settings, open = openStore, clock } = options
  const server = formatServerName(settings.role, process.pid, hostname())
  const store = await open({ ...settings.store, server }, clock)
  return closeOnFailure(
    async () => {
      await store.migrate()
      await store.rememberMode(settings.mode)
      const sandbox =
        settings.mode === 'demo' ? await startSandbox({ port: settings.sandboxPort }) : undefined
      return closeOnFailure(
        async () => {
          const product = startRoles(options, store, server, sandbox?.url)
          const stop = async (graceMs: number) => {
            await product.stop(graceMs)
            await sandbox?.stop()
            await store.close()
          }
          return { ...product, stop }
        },
        () => sandbox?.stop(),
      )
    },
    () => store.close(),
  )
}

function startRoles(
  options: ProductOptions,
  store: Store,
  server: string,
  sandboxUrl: string | undefined,
) {
  const { settings, log, consoleFolder, consoleAssets = { styles: '' } } = options
  const isIn = (...roles: readonly Settings['role'][]) => roles.includes(settings.role)
  const shared = makeSharedDependencies(options, store, sandboxUrl)
  const worker = makeWorkerRole(shared)
  const site = makeSiteApp({ ...options, ...shared, onDeliveryDue: worker.wake })
  const loops = makeBackgroundLoops(shared, worker.wake)
  const clockWatch = makeClockWatch({ ...store.database, ...store, server, log })
  const console = isIn('console', 'all')
    ? makeConsoleApp({
        ...shared,
        onJob: loops.wakeJobs,
        programs: site.programs,
        disclosureCovers: site.disclosureCovers,
        assets: consoleAssets,
        assetFolder: consoleFolder,
        documentFolder: options.documentFolder ?? resolve('docs'),
      })
    : undefined
  if (isIn('worker', 'all')) worker.start()
  if (isIn('web', 'all')) site.visitReports.start()
  if (!isIn('web')) loops.start()
  // A SQLite store has a single server, whose own clock decides.
  if (settings.store.databaseUrl !== undefined) clockWatch.start()

  return {
    ...site,
    console,
    drain: () => {
      site.drain()
      console?.drain()
    },
    sandboxUrl,
    /** Resolves if the store's file is damaged: see open-store.ts. */
    damaged: store.damaged,
    /** Finishes running deliveries, returns the leases of the others, and closes the store. */
    stop: async (graceMs: number) => {
      const { visitReports } = site
      await Promise.all([worker, loops, visitReports, clockWatch].map(({ stop }) => stop(graceMs)))
    },
  }
}

export type Product = Awaited<ReturnType<typeof startProduct>>
