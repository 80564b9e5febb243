import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Settings } from '#server/config/settings.ts'

/**
 * Returns how an operator types a command for this store: `sudo leads` in production (deploy/leads). In demo mode, the
 * command names the store and the console, because another shell lacks the server's settings.
 * @param consoleOrigin the origin with which invitations and sign-in links begin that a command prints
 */
export function formatLeadsCommand(
  { mode, store }: Pick<Settings, 'mode' | 'store'>,
  consoleOrigin: string,
): string {
  if (mode === 'production') return 'sudo leads'
  const variables = Object.entries({ CONSOLE_ORIGIN: consoleOrigin, ...nameStore(store) })
  return `${variables.map(([name, value]) => `${name}=${quote(value)} `).join('')}npm run leads --`
}

function nameStore({ dataDir, databaseUrl }: Settings['store']): Record<string, string> {
  if (databaseUrl === undefined) return { DATA_DIR: resolve(dataDir) }
  const { DATABASE_URL_FILE: file } = process.env
  // If the shell has a DATABASE_URL, too, the command would refuse two URLs.
  return { DATABASE_URL: '', DATABASE_URL_FILE: file ? resolve(file) : keepInFile(databaseUrl) }
}

/** Writes the URL to a file that only the server's user can read, because the URL may contain a password. */
function keepInFile(databaseUrl: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'campus-enquiry-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'database-url')
  writeFileSync(file, databaseUrl, { mode: 0o600 })
  return file
}

const quote = (value: string): string =>
  /^[\w@%+:,./-]*$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`
