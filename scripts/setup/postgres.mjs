import { join } from 'node:path'
import { aptOf } from './apt.mjs'
import { embeddedBinDir, installEmbedded } from './embedded-postgres.mjs'
import { onPath } from './machine.mjs'
import { installDebianPostgres } from './postgres-on-debian.mjs'
import { withProgress } from './progress.mjs'
import { SetupError } from './setup-error.mjs'

/** `AS MATERIALIZED`, which the store's claim needs, came with 12. */
const OLDEST_MAJOR = 12

const PROGRAMS = ['postgres', 'initdb', 'pg_ctl']

/** @typedef {import('./machine.mjs').Machine} Machine */

/**
 * @param {string} root
 * @param {Machine} machine
 * @returns {string | undefined} the folder that holds `postgres`, `initdb` and `pg_ctl`
 */
export function findPostgres(root, machine) {
  const asked = machine.env.POSTGRES_BIN_DIR
  if (asked) {
    if (isUsable(machine, asked)) return asked
    throw new SetupError(
      `POSTGRES_BIN_DIR does not hold postgres, initdb and pg_ctl, version ${OLDEST_MAJOR} or later. Correct it, or unset it.`,
    )
  }
  return binDirs(root, machine).find((folder) => isUsable(machine, folder))
}

/**
 * @param {string} root
 * @param {Machine} machine
 * @param {(pid: number) => void} onStart
 * @returns {Promise<string>} the folder that holds `postgres`, `initdb` and `pg_ctl`
 */
export async function bringPostgres(root, machine, onStart) {
  const found = findPostgres(root, machine)
  if (found !== undefined) return found
  return withProgress('Installing PostgreSQL for the integration tests', async () => {
    const said = []
    const apt = aptOf(machine, onStart)
    if (apt) said.push(await installDebianPostgres(apt, machine))
    const installed = findPostgres(root, machine)
    if (installed !== undefined) return installed

    said.push(await installEmbedded(root, machine, onStart))
    const embedded = findPostgres(root, machine)
    if (embedded !== undefined) return embedded
    throw new SetupError(
      `${said.map(({ output }) => output).join('\n')}\n\nThe integration tests need PostgreSQL ${OLDEST_MAJOR} or ` +
        'later, and none could be installed: the words above say why.\nInstall it by your system’s means, or set ' +
        'POSTGRES_BIN_DIR to the folder of its programs, and run the command again.',
    )
  })
}

/**
 * @param {string} root
 * @param {Machine} machine
 */
function binDirs(root, machine) {
  const { list, answer } = machine
  const newestFirst = (/** @type {string} */ folder, /** @type {RegExp} */ names) =>
    list(folder)
      .filter((name) => names.test(name))
      .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
      .map((name) => join(folder, name, 'bin'))
  return [
    // With only the client's development files installed it names a folder without a server.
    answer('pg_config', ['--bindir']),
    ...newestFirst('/usr/lib/postgresql', /^\d+$/),
    ...newestFirst('/opt/homebrew/opt', /^postgresql(@\d+)?$/),
    ...newestFirst('/usr/local/opt', /^postgresql(@\d+)?$/),
    ...onPath(machine, 'postgres').map((path) => join(path, '..')),
    embeddedBinDir(root, machine),
  ].filter((folder) => folder !== undefined)
}

/**
 * @param {Machine} machine
 * @param {string} folder
 */
function isUsable(machine, folder) {
  const isWhole = PROGRAMS.every((name) => machine.isExecutable(join(folder, name)))
  if (!isWhole) return false
  const version = machine
    .answer(join(folder, 'postgres'), ['--version'])
    ?.match(/\(PostgreSQL\) (\d+)/)?.[1]
  return Number(version ?? 0) >= OLDEST_MAJOR
}
