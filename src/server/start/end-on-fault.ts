import type { Logger } from 'pino'
import type { StoreSettings } from './open-store.ts'
import { storeFault } from './store-fault.ts'

/**
 * An error that nobody expected ends the process: what it had not answered is nowhere acknowledged. Node itself would
 * print it with all its properties, and PostgreSQL's have a row's values.
 */
export function endOnFault(log: Logger, store: StoreSettings): void {
  process.on('uncaughtException', (error) => {
    const words = storeFault(store, error)
    if (words === undefined)
      log.fatal({ err: error }, 'the process ends: an error that nobody expected')
    else log.fatal(`the process ends: ${words}`)
    if (words !== undefined) process.stderr.write(`The product ends. ${words}\n`)
    process.exit(1)
  })
}
