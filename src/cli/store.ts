import { statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { isAbsolute, resolve } from 'node:path'
import { pluralize } from '#domain/text/pluralize.ts'
import { readSettings } from '#server/config/read-settings.ts'
import type { Settings } from '#server/config/settings.ts'
import { makeActOnLead } from '#server/jobs/act-on-lead.ts'
import { type AuditEntry, audited } from '#server/operators/audit.ts'
import type { CommandLineActor } from '#server/operators/operator.ts'
import { describeServer } from '#server/platform/database/lead-database.ts'
import { runAndClose } from '#server/platform/database/run-and-close.ts'
import { storeFile } from '#server/platform/database/sqlite/data-folder.ts'
import { describeMove, type Move, type StoreState } from '#server/platform/database/store-state.ts'
import { openStore, type Store, type StoreSettings } from '#server/start/open-store.ts'
import { describeFault, exitCodes, NotDoneError } from './errors.ts'
import { type Json, print, printFault } from './terminal.ts'

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

/** The operating system's user, whom the audit log names. */
export function commandLineActor(): CommandLineActor {
  try {
    return { kind: 'command line', user: userInfo().username }
  } catch {
    // A container may run under a user id that has no name.
    return { kind: 'command line', user: `uid ${process.getuid?.() ?? 'unknown'}` }
  }
}

/** Records what a command is about to do, and its outcome. */
export const auditedAct = <Result>(
  { audit }: Pick<Store, 'audit'>,
  entry: AuditEntry,
  act: () => Promise<Result>,
  inWords: (result: Result) => string,
): Promise<Result> =>
  audited(audit, { actor: commandLineActor(), at: Date.now(), ...entry }, act, inWords)

/** The same actions on a lead as on the console's pages. */
export const actOnLead = (store: Store) => makeActOnLead({ ...store, clock: Date.now })

/** Opens the configured store for one verb, says which one it is, and closes it again. It never makes one. */
export const withStore = <Result>(
  use: (store: Store) => Promise<Result>,
  report: Json,
): Promise<Result> =>
  withStoreAsItIs(async (store) => {
    await store.migrate()
    return use(store)
  }, report)

/**
 * The same for a verb that changes something.
 * @throws NotDoneError where the leads have gone elsewhere
 */
export const changeStore = <Result>(
  use: (store: Store, state: StoreState) => Promise<Result>,
  report: Json,
): Promise<Result> =>
  withState(async (store, state) => {
    refuseMoved(state.place, state.movedTo, 'Nothing was changed: no server works on it.')
    printStoreState(state, report)
    await store.migrate()
    return use(store, state)
  })

/**
 * Like `withStore`, but leaves the schema as it is: the backup before an upgrade keeps the old
 * version.
 */
export const withStoreAsItIs = <Result>(
  use: (store: Store) => Promise<Result>,
  report: Json,
): Promise<Result> =>
  withState((store, state) => {
    printStoreState(state, report)
    return use(store)
  })

async function withState<Result>(
  use: (store: Store, state: StoreState) => Promise<Result>,
): Promise<Result> {
  const settings = serverSettings().store
  assertStoreFile(settings)
  try {
    const store = await openStore(settings)
    return await runAndClose(
      async () => {
        if (!(await store.isMade())) throw noStore(store.place)
        return use(store, await store.state())
      },
      () => store.close(),
    )
  } catch (error) {
    throw describeFault(error)
  }
}

const storeHint = `A server makes it at its first start; a verb never does. Is one running on another store?
  with systemd:    sudo leads <verb>
  in a container:  docker compose exec worker leads <verb>
  elsewhere:       DATA_DIR=<the folder of leads.sqlite> npm run leads -- <verb>, or DATABASE_URL_FILE=<file>`

export const noStore = (place: string): NotDoneError =>
  new NotDoneError(
    `There is no store at ${place}. Nothing was done.\n${storeHint}`,
    exitCodes.unavailable,
  )

/** Opening SQLite would make the file, and a report on that would be one on nothing. */
export function assertStoreFile({ dataDir, databaseUrl }: StoreSettings): void {
  if (databaseUrl !== undefined) return
  const file = storeFile(dataDir)
  const size = sizeOf(file)
  if (size === undefined || size === 0) throw noStore(file)
}

function sizeOf(file: string): number | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })?.size
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new NotDoneError(
      `This user cannot look for the store at ${file} (${code}). Nothing was done: be root, or the server’s user.`,
      exitCodes.unavailable,
    )
  }
}

/**
 * A command on a store whose leads were moved would change nothing that runs, so it must not
 * report “done”.
 * @param place the store that the verb found
 * @param undone what the operator would otherwise take for done
 */
export function refuseMoved(place: string, move: Move | undefined, undone: string): void {
  if (move === undefined) return
  throw new NotDoneError(
    `${describeMove(place, move)} ${undone} Set DATABASE_URL or DATA_DIR to where the leads are, as for the server; ` +
      'under systemd in /etc/campus-enquiry/store.env.',
  )
}

/**
 * Names the report's store, so that nobody mistakes another store's figures for production's:
 * above the report, or on stderr, so that scripts are not affected.
 */
export function printStoreState(state: StoreState, { json }: Json): void {
  if (json) printFault(describeStore(state))
  else print(`${describeStore(state)}\n`)
}

function describeStore({ place, leads, servers, movedTo }: StoreState): string {
  const users =
    servers.length === 0 ? noServer(place) : `in use by ${servers.map(describeServer).join('; ')}`
  const store = `Store: ${place} (${pluralize(leads, 'lead')}; ${users})`
  return movedTo === undefined
    ? store
    : `${store}\n${describeMove('this store', movedTo)} These figures are from before the move.`
}

/** A file is held by its server; of a database the connections are seen, which it may have ended. */
const noServer = (place: string): string =>
  isAbsolute(place)
    ? 'no server is using it'
    : 'no server is connected to it; one at rest is not seen'
