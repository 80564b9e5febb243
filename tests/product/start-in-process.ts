import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pino } from 'pino'
import { readSettings } from '#server/config/read-settings.ts'
import { readCatalogue } from '#server/content/read-catalogue.ts'
import { listen } from '#server/platform/http/listen.ts'
import { openStore } from '#server/store/open-store.ts'
import { startProduct } from '#start/wiring/product.ts'
import { shippedTexts } from '#tests/content/sample-texts.ts'
import { copyMigrated } from '#tests/store/copy-migrated.ts'
import { freePort } from './free-port.ts'

const assets = {
  styles: 'body{margin:0}',
  bootstrapScript: '/assets/bootstrap.js',
  formScript: '/assets/form.js',
  developmentScripts: [],
}

/**
 * Starts the whole product in the test's own process, in demo mode, on free ports and with its own data folder.
 * @param variables the environment; DATABASE_URL selects PostgreSQL
 * @param clientFolder the folder of the built scripts; without one the security headers are off, as in development
 * @param clock the machine's clock, in epoch milliseconds
 * @param time replaces the store's time, for a test that moves the time on PostgreSQL, too
 */
export async function startInProcess(
  variables: Readonly<Record<string, string>> = {},
  clientFolder?: string,
  clock: () => number = Date.now,
  time?: () => number,
) {
  const dataDir = await mkdtemp(join(tmpdir(), 'enquiry-'))
  await copyMigrated({ dataDir, databaseUrl: variables.DATABASE_URL })
  const read = readSettings({
    APP_MODE: 'demo',
    PORT: String(await freePort()),
    SANDBOX_PORT: '0',
    CONSOLE_PORT: '0',
    DATA_DIR: dataDir,
    ...variables,
  })
  if (!read.ok) throw new Error(read.faults.join('\n'))
  const catalogue = readCatalogue(resolve(import.meta.dirname, '../../catalogue/programs.csv'))
  if (!catalogue.ok) throw new Error(catalogue.faults.join('\n'))

  const { settings } = read
  const { programs } = catalogue
  const logLines: string[] = []
  const log = pino({ level: 'trace', base: null }, { write: (line) => logLines.push(line) })
  const product = await startProduct({
    settings,
    programs,
    texts: shippedTexts(),
    assets,
    clientFolder,
    log,
    clock,
    open: async (...given) => {
      const store = await openStore(...given)
      return time === undefined ? store : { ...store, clock: time }
    },
  })
  const server = await listen({ ...settings, ...product })
  const { console } = product
  const desk = console && (await listen({ ...settings.console, ...console }))
  return {
    url: `http://127.0.0.1:${server.port}`,
    sandboxUrl: product.sandboxUrl ?? '',
    programs,
    /** The console's address with a link that signs in; empty in a role without a console. */
    consoleLink: (desk && (await console?.listening(desk.port))) ?? '',
    /** The console's pages and calls. */
    consoleRoutes: console?.routes ?? [],
    /** The store's settings, for tests that read the store themselves. */
    store: settings.store,
    logLines,
    drain: product.drain,
    setPrograms: product.setPrograms,
    setTexts: product.setTexts,
    stop: async () => {
      await server.close({ requests: 1000 })
      await desk?.close({ requests: 1000 })
      await product.stop(1000)
      await rm(dataDir, { recursive: true })
    },
  }
}

export type InProcessProduct = Awaited<ReturnType<typeof startInProcess>>
