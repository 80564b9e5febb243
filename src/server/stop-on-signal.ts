import type { Logger } from 'pino'
import type { Product } from './product.ts'

interface StopPorts {
  readonly server: { close(): Promise<void> }
  readonly product: Product
  readonly log: Logger
}

/** How long deliveries under way may take to finish. The whole stop must take less than 10 s. */
const deliveryGrace = 7000
const wholeStop = 9500

/** On SIGTERM or SIGINT: takes no more, finishes what is under way, gives leases back, and ends with 0. */
export function stopOnSignal({ server, product, log }: StopPorts): void {
  let isStopping = false
  const stop = async () => {
    if (isStopping) return
    isStopping = true
    log.info('stopping')
    setTimeout(() => {
      log.error('stopping took too long; leases will run out by themselves')
      process.exit(0)
    }, wholeStop).unref()
    product.drain()
    await server.close()
    await product.stop(deliveryGrace)
    log.info('stopped')
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
