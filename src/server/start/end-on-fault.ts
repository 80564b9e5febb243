import type { Logger } from 'pino'

/**
 * An error that nobody expected ends the process: what it had not answered is nowhere acknowledged. Node itself would
 * print it with all its properties, and PostgreSQL's have a row's values.
 */
export function endOnFault(log: Logger): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'the process ends: an error that nobody expected')
    process.exit(1)
  })
}
