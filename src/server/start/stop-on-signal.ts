import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { ClosingGrace } from '#server/http/connections/listen.ts'
import type { Product } from '#server/wiring/product.ts'

interface StopPorts {
  readonly server: { drain(): void; close(graceMs: ClosingGrace): Promise<void> }
  readonly product: Product
  readonly log: Logger
  /** How long it still serves, in milliseconds. */
  readonly drainDelay: number
}

/** How long requests and then deliveries under way may take to finish, in milliseconds; a lookup takes up to 5000. */
const requestGrace = 5200
const deliveryGrace = 7000
/** A proxy that has connected sends its request at once. */
const newcomerGrace = 500
const wholeGrace = 9000
/** The stop must take less than 10 s. */
const wholeStop = 9500

/** On one of the signals: says that it leaves, takes no more, finishes what is under way, gives leases back, and ends with 0. */
export function stopOnSignal(
  { server, product, log, drainDelay }: StopPorts,
  signals: readonly string[],
): void {
  let isStopping = false
  const stop = async () => {
    if (isStopping) return
    isStopping = true
    log.info('stopping')
    setTimeout(() => {
      log.error('stopping took too long; leases will run out by themselves')
      process.exit(0)
    }, wholeStop).unref()
    const deliveriesEnd = performance.now() + wholeGrace
    product.drain()
    server.drain()
    await wait(drainDelay)
    await server.close({ requests: requestGrace, newcomers: drainDelay > 0 ? newcomerGrace : 0 })
    await product.stop(Math.min(deliveryGrace, deliveriesEnd - performance.now()))
    log.info('stopped')
    process.exit(0)
  }
  for (const signal of signals) process.on(signal, stop)
}
