import { resolve } from 'node:path'
import { readSettings } from '#server/config/read-settings.ts'
import type { Settings } from '#server/config/settings.ts'
import { exitCodes, NotDoneError } from './not-done-error.ts'

/** The server's own configuration: the verbs work on its store. */
export function serverSettings(): Settings {
  // Production asks for what a server alone needs: the distributor's address, say.
  const read = readSettings({ ...process.env, APP_MODE: 'demo' })
  if (read.ok) return read.settings
  throw new NotDoneError(
    `The configuration needs to be corrected:\n${read.faults.map((fault) => `  - ${fault}`).join('\n')}`,
    exitCodes.configuration,
  )
}

/** Built, this module lies in dist/server; else in src/cli. */
export const projectFolder = resolve(import.meta.dirname, '../..')
