import type { Logger } from 'pino'
import { isDiskFault, toFolderError } from '#server/platform/database/sqlite/data-folder.ts'
import {
  formatSystemError,
  isCorrupt,
  isPostgresUnavailable,
  StoreUnavailableError,
} from '#server/platform/faults/database-errors.ts'
import type { StoreSettings } from '#server/store/open-store.ts'

export type PortSettingName = 'PORT' | 'SANDBOX_PORT' | 'CONSOLE_PORT'

/**
 * Explains why the product cannot start and what to do; undefined if the fault is in our code.
 * @param portName the setting of the port that the server tried to listen on
 */
export function describeStartFault(
  error: unknown,
  portName: PortSettingName,
  store: StoreSettings,
): string | undefined {
  if (error instanceof StoreUnavailableError) return error.message
  const storeFault = explainUnusableStore(store, error)
  if (storeFault !== undefined) return storeFault
  const { syscall, code, address, port } = error as NodeJS.ErrnoException & {
    readonly address?: string
    readonly port?: number
  }
  const hostName = portName === 'CONSOLE_PORT' ? 'CONSOLE_HOST' : 'HOST'
  if (syscall === 'getaddrinfo') return `${hostName} is not an address of this machine (${code}).`
  if (syscall === 'listen') {
    return code === 'EADDRINUSE'
      ? `Port ${port} on ${address} is taken: end the program that uses it, or choose another port with ${portName}.`
      : `The server cannot listen on port ${port} of ${address} (${code}): change ${hostName} or ${portName}.`
  }
  if (store.databaseUrl === undefined || !(error instanceof Error) || !isPostgresUnavailable(error))
    return
  return (
    `PostgreSQL no longer answers (${formatSystemError(error)}). The schema is unchanged or complete, and no lead was changed. ` +
    'Start again when PostgreSQL answers.'
  )
}

/** Explains why the store is unusable and what to do; undefined if the store is not the cause of the error. */
function explainUnusableStore(
  { dataDir, databaseUrl }: StoreSettings,
  error: unknown,
): string | undefined {
  if (databaseUrl === undefined) {
    return isDiskFault(error) ? toFolderError(dataDir, error).message : undefined
  }
  if (!isCorrupt(error)) return undefined
  return `PostgreSQL reports that its data is damaged (${formatSystemError(error)}). Change nothing, and read docs/runbook.md, “Leads are not stored”.`
}

/**
 * Ends the process after an unexpected error, which loses no acknowledged lead. Node itself would print the error with
 * all its properties, and PostgreSQL's errors contain a row's values.
 */
export function exitOnFault(log: Logger, store: StoreSettings): void {
  process.on('uncaughtException', (error) => {
    const fault = explainUnusableStore(store, error)
    if (fault === undefined) log.fatal({ err: error }, 'the process ends after an unexpected error')
    else {
      log.fatal(`the process ends: ${fault}`)
      process.stderr.write(`The product ends. ${fault}\n`)
    }
    process.exit(1)
  })
}
