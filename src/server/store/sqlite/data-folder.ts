import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { sqliteCode } from '../sqlite-code.ts'
import { faultOf, StoreUnavailableError } from '../store-unavailable-error.ts'

export const storeFile = (dataDir: string): string => resolve(join(dataDir, 'leads.sqlite'))

/**
 * Makes what is missing of it, for this user alone. Not by `mkdir` with `recursive`: where the system has no room for new
 * folders and says that they are not there (/proc), Node 26 tries for ever.
 */
export function makeDataFolder(dataDir: string): void {
  const missing: string[] = []
  for (let folder = resolve(dataDir); !existsSync(folder); folder = dirname(folder)) {
    missing.unshift(folder)
  }
  for (const folder of missing) makeFolder(folder)
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process that starts was first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** What is wrong with the file is no matter of rights: SQLITE_CORRUPT and SQLITE_NOTADB. */
const ofTheFile: ReadonlySet<unknown> = new Set([11, 26])

export function dataFolderFault(dataDir: string, error: unknown): StoreUnavailableError {
  const words = ofTheFile.has(sqliteCode(error))
    ? `${storeFile(dataDir)} is damaged, or no store (${faultOf(error)}). Change nothing, copy the folder, then ` +
      'docs/runbook.md, “Leads are not stored”.'
    : `The data folder ${dataDir} cannot be used (${faultOf(error)}). ` +
      'Make it writable for this user, or choose another one with DATA_DIR.'
  return new StoreUnavailableError(words, { cause: error })
}
