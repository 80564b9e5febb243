import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { CloseTimeouts } from '#server/platform/http/listen.ts'
import type { Product } from '#start/wiring/product.ts'

interface ShutdownDependencies {
  readonly server: { drain(): void; close(timeouts: CloseTimeouts): Promise<void> }
  readonly product: Product
  readonly log: Logger
  /** How long the process still accepts requests after the signal, in milliseconds. */
  readonly drainDelay: number
}

/**
 * How long running requests, and then running deliveries, may take to finish, in milliseconds; a lookup takes up to
 * 5000.
 */
const requestGrace = 5200
const deliveryGrace = 7000
/** How long a new connection may take to send its request, in milliseconds; a proxy sends its request at once. */
const newRequestGrace = 500
const totalGrace = 9000
/** The stop must take less than 10 s. */
const totalStopTime = 9500

/** How long `/readyz` still answers 503 after a failure, so that load balancers notice, in milliseconds. */
const failureNotice = 1500

export type Shutdown = (exitCode?: 0 | 1) => Promise<void>

/** Makes a function that stops the process: `/readyz` answers 503, running work finishes, and leases are returned. */
export function makeShutdown({ server, product, log, drainDelay }: ShutdownDependencies): Shutdown {
  let isStopping = false
  return async (exitCode = 0) => {
    if (isStopping) return
    isStopping = true
    log.info('stopping')
    const tooLong = setTimeout(() => {
      log.error('stopping took too long; leases will expire by themselves')
      process.exit(exitCode)
    }, totalStopTime).unref()
    const deliveriesEnd = performance.now() + totalGrace
    product.drain()
    server.drain()
    await wait(Math.max(drainDelay, exitCode === 0 ? 0 : failureNotice))
    await server.close({ requests: requestGrace, newcomers: drainDelay > 0 ? newRequestGrace : 0 })
    await product
      .stop(Math.min(deliveryGrace, deliveriesEnd - performance.now()))
      .catch((error) => {
        // A lead that is not yet on disk was not acknowledged, so the visitor can send it again.
        log.error({ err: error as unknown }, 'the store could not be closed cleanly')
      })
    clearTimeout(tooLong)
    log.info('stopped')
    process.exit(exitCode)
  }
}

const leadsAreSafe =
  'The server accepts no more leads. Stored leads are in the damaged file, as far as it can be read, and in the last backup: ' +
  'docs/deploy.md, “Back up and restore”.'

/**
 * Ends the process if the store's file is damaged, because its answers might be wrong and new leads might be lost.
 * `/readyz` answers 503 as soon as the damage is found.
 */
export async function exitOnDamage(
  { damaged }: Pick<Product, 'damaged'>,
  { log, stop }: { readonly log: Logger; readonly stop: Shutdown },
): Promise<void> {
  const words = `${(await damaged).message} ${leadsAreSafe}`
  log.fatal(`the process ends: ${words}`)
  process.stderr.write(`The product ends because its store is damaged. ${words}\n`)
  await stop(1)
}
