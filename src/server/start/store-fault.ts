import { dataFolderFault, isOfTheDisk } from '#server/platform/database/sqlite/data-folder.ts'
import { isCorrupt, systemMessage } from '#server/platform/faults/database-errors.ts'
import type { StoreSettings } from './open-store.ts'

/** What an operator can put right where the store is found unusable after it was opened; undefined where that is no such error. */
export function storeFault(
  { dataDir, databaseUrl }: StoreSettings,
  error: unknown,
): string | undefined {
  if (databaseUrl === undefined) {
    return isOfTheDisk(error) ? dataFolderFault(dataDir, error).message : undefined
  }
  if (!isCorrupt(error)) return undefined
  return `PostgreSQL says that its data are damaged (${systemMessage(error)}). Change nothing, then docs/runbook.md, “Leads are not stored”.`
}
