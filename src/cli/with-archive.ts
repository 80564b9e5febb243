import { readSettings } from '#server/config/read-settings.ts'
import { openStore } from '#server/store/open-store.ts'
import type { LeadArchive } from '#server/use-cases/read-leads.ts'

/** EX_CONFIG and EX_UNAVAILABLE of sysexits.h. */
const configurationFault = 78
const unavailable = 69

/** Opens the configured store for one verb, and closes it again. */
export async function withArchive<Result>(
  use: (archive: LeadArchive) => Promise<Result>,
): Promise<Result> {
  const read = readSettings(process.env)
  if (!read.ok)
    fail(`The configuration needs to be corrected:\n${read.faults.join('\n')}`, configurationFault)
  const store = await openStore(read.settings.store).catch((error: Error) =>
    fail(error.message, unavailable),
  )
  try {
    await store.migrate()
    return await use(store.archive)
  } finally {
    await store.close()
  }
}

export function fail(message: string, exitCode: number): never {
  process.stderr.write(`${message}\n`)
  process.exit(exitCode)
}
