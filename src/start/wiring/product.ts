import { hostname } from 'node:os'
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import { makeConsoleApp } from '#console/console-app.tsx'
import type { ConsoleAssets } from '#console/shell/shell.tsx'
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts'
import type { Settings } from '#server/config/settings.ts'
import { formatServerName } from '#server/platform/database/lead-database.ts'
import { closeOnFailure } from '#server/platform/database/run-and-close.ts'
import { findStoreFile, isStoreEmpty } from '#server/platform/database/sqlite/data-folder.ts'
import { openStore, type Store } from '#server/store/open-store.ts'
import { makeSiteApp } from '#site/site-app.ts'
import type { SiteSetup } from '#site/site-services.ts'
import { makeBackgroundLoops } from './background-loops.ts'
import { makeClockWatch } from './clock-watch.ts'
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
  logEmptyStoreFile(options)
  const store = await open({ ...settings.store, server }, clock)
  return closeOnFailure(
    async () => {
      await store.migrate()
      await store.rememberMode(settings.mode)
      const sandbox =
        settings.mode === 'demo' ? await startSandbox({ port: settings.sandboxPort }) : undefined
      return closeOnFailure(
        async () => startRoles(options, store, { server, sandbox }),
        () => sandbox?.stop(),
      )
    },
    () => store.close(),
  )
}

/**
 * Logs that the store's file is empty. The start continues, because an interrupted first start leaves an empty file,
 * too. If a disk fault has emptied the file, only this log line shows that leads are lost.
 */
function logEmptyStoreFile({ settings, log }: ProductOptions): void {
  const { dataDir, databaseUrl } = settings.store
  if (databaseUrl !== undefined || !isStoreEmpty(dataDir)) return
  log.error(
    { file: findStoreFile(dataDir) },
    'leads.sqlite is empty, so the store starts without leads. Unless this is the first start, stop and restore the backup',
  )
}

function startRoles(
  options: ProductOptions,
  store: Store,
  { server, sandbox }: { readonly server: string; readonly sandbox: Sandbox | undefined },
) {
  const { settings, log } = options
  const { role } = settings
  const shared = makeSharedDependencies({ settings, store, log, clock: store.clock }, sandbox?.url)
  const worker = makeWorkerRole(shared)
  const site = makeSiteApp({ ...options, ...shared, onDeliveryDue: worker.wake })
  if (role === 'worker' || role === 'all') worker.start()
  if (role === 'web' || role === 'all') site.visitReports.start()
  const loops = makeBackgroundLoops(shared, worker.wake)
  const { consoleAssets = { styles: '' }, consoleFolder } = options
  const console =
    role === 'console' || role === 'all'
      ? makeConsoleApp({
          ...shared,
          onJob: loops.wakeJobs,
          programs: site.programs,
          assets: consoleAssets,
          assetFolder: consoleFolder,
          documentFolder: options.documentFolder ?? resolve('docs'),
        })
      : undefined
  if (role !== 'web') loops.start()
  const clockWatch = makeClockWatch({ store, server, log })
  // A SQLite store has a single server, whose own clock decides.
  if (settings.store.databaseUrl !== undefined) clockWatch.start()

  return {
    ...site,
    /** The console; undefined in roles without it. */
    console,
    /** Makes `/readyz` answer 503 from now on. */
    drain: () => {
      site.drain()
      console?.drain()
    },
    sandboxUrl: sandbox?.url,
    /** Resolves if the store's file is damaged: see open-store.ts. */
    damaged: store.damaged,
    /** Finishes running deliveries, returns the leases of the others, and closes the store. */
    stop: async (graceMs: number) => {
      await Promise.all([
        worker.stop(graceMs),
        loops.stop(),
        site.visitReports.stop(),
        clockWatch.stop(),
      ])
      await sandbox?.stop()
      await store.close()
    },
  }
}

export type Product = Awaited<ReturnType<typeof startProduct>>
