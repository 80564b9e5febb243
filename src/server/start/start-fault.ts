import type { Logger } from 'pino'
import { dataFolderFault, isDiskFault } from '#server/platform/database/sqlite/data-folder.ts'
import {
  isCorrupt,
  isPostgresAway,
  StoreUnavailableError,
  systemMessage,
} from '#server/platform/faults/database-errors.ts'
import type { StoreSettings } from '#server/store/open-store.ts'

export type PortName = 'PORT' | 'SANDBOX_PORT' | 'CONSOLE_PORT'

/**
 * Says how to repair a failed start; undefined if the fault is in our code.
 * @param portName the setting of the port that the server tried to listen on
 */
export function startFault(
  error: unknown,
  portName: PortName,
  store: StoreSettings,
): string | undefined {
  if (error instanceof StoreUnavailableError) return error.message
  const ofStore = storeFault(store, error)
  if (ofStore !== undefined) return ofStore
  const { syscall, code, address, port } = error as NodeJS.ErrnoException & ListenPlace
  const hostName = portName === 'CONSOLE_PORT' ? 'CONSOLE_HOST' : 'HOST'
  if (syscall === 'getaddrinfo') return `${hostName} is no address of this machine (${code}).`
  if (syscall !== 'listen') return lostDatabase(error, store)
  return code === 'EADDRINUSE'
    ? `Port ${port} on ${address} is taken: end the program that has it, or choose another one with ${portName}.`
    : `Port ${port} on ${address} cannot be listened on (${code}): change ${hostName} or ${portName}.`
}

function lostDatabase(error: unknown, { databaseUrl }: StoreSettings): string | undefined {
  if (databaseUrl === undefined || !(error instanceof Error) || !isPostgresAway(error)) return
  return (
    `PostgreSQL does not answer any more (${systemMessage(error)}). Its schema is as it was or whole; no lead was touched. ` +
    'Start again when it answers.'
  )
}

interface ListenPlace {
  readonly address?: string
  readonly port?: number
}

/** Says how to repair an open store that turns out to be unusable; undefined for any other error. */
export function storeFault(
  { dataDir, databaseUrl }: StoreSettings,
  error: unknown,
): string | undefined {
  if (databaseUrl === undefined) {
    return isDiskFault(error) ? dataFolderFault(dataDir, error).message : undefined
  }
  if (!isCorrupt(error)) return undefined
  return `PostgreSQL says that its data are damaged (${systemMessage(error)}). Change nothing, then docs/runbook.md, “Leads are not stored”.`
}

/**
 * Ends the process after an unexpected error; requests without an answer were not acknowledged. Node itself would print
 * the error with all its properties, and PostgreSQL's errors contain a row's values.
 */
export function endOnFault(log: Logger, store: StoreSettings): void {
  process.on('uncaughtException', (error) => {
    const words = storeFault(store, error)
    if (words === undefined) log.fatal({ err: error }, 'the process ends: an unexpected error')
    else log.fatal(`the process ends: ${words}`)
    if (words !== undefined) process.stderr.write(`The product ends. ${words}\n`)
    process.exit(1)
  })
}
