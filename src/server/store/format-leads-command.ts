import { resolve } from 'node:path'
import type { Settings } from '#server/config/settings.ts'

export interface LeadsCommandSettings extends Pick<Settings, 'mode'> {
  readonly store: Pick<Settings['store'], 'dataDir' | 'databaseUrl'>
}

/**
 * Returns how an operator types a command for this store: `sudo leads` in production (deploy/leads). In demo mode, the
 * command names the store and the console, because another shell lacks the server's settings. It never shows
 * DATABASE_URL, which may contain a password: that variable must be set in the operator's shell, too.
 * @param consoleOrigin the origin with which invitations and sign-in links begin that a command prints
 */
export function formatLeadsCommand(
  { mode, store: { dataDir, databaseUrl } }: LeadsCommandSettings,
  consoleOrigin: string,
): string {
  if (mode === 'production') return 'sudo leads'
  const { DATABASE_URL_FILE: file } = process.env
  const variables = {
    CONSOLE_ORIGIN: consoleOrigin,
    ...(databaseUrl === undefined && { DATA_DIR: resolve(dataDir) }),
    // If the shell has a DATABASE_URL, too, the command would refuse two URLs.
    ...(databaseUrl !== undefined &&
      file && { DATABASE_URL: '', DATABASE_URL_FILE: resolve(file) }),
  }
  const assignments = Object.entries(variables).map(([name, value]) => `${name}=${quote(value)} `)
  return `${assignments.join('')}npm run leads --`
}

const quote = (value: string): string =>
  /^[\w@%+:,./-]*$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`
