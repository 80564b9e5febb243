import { statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { isAbsolute, resolve } from 'node:path'
import { parseReference } from '#domain/lead/reference.ts'
import { pluralize } from '#domain/text/formats.ts'
import { readSettings } from '#server/config/read-settings.ts'
import type { Settings } from '#server/config/settings.ts'
import { findReferencedIds } from '#server/leads/find-references.ts'
import { type AuditEntry, runWithAudit } from '#server/operators/audit.ts'
import type { CommandLineActor } from '#server/operators/operator.ts'
import type { OperatorContext } from '#server/operators/operator-context.ts'
import { describeServer } from '#server/platform/database/lead-database.ts'
import { runAndClose } from '#server/platform/database/run-and-close.ts'
import { findStoreFile } from '#server/platform/database/sqlite/data-folder.ts'
import {
  describeStoreMove,
  type StoreMove,
  type StoreState,
} from '#server/platform/database/store-state.ts'
import { openStore, type Store, type StoreSettings } from '#server/store/open-store.ts'
import { makeOperatorActions, type OperatorActions } from '#server/store/operator-actions.ts'
import { CommandError, exitCodes } from './errors.ts'
import { formatBullets, type JsonOption, print, printError } from './terminal.ts'

/** Reads the server's configuration, because commands work on the server's store. */
export function readServerSettings(): Settings {
  // Demo mode doesn't require settings that only a server needs, such as the distributor's URL.
  const read = readSettings({ ...process.env, APP_MODE: 'demo' })
  if (read.ok) return read.settings
  throw new CommandError(
    `The configuration needs to be corrected:${formatBullets(read.faults)}`,
    exitCodes.configuration,
  )
}

/**
 * Returns whether webhooks and postbacks may have http URLs and private hosts. A server in production checks the URL
 * again at each call, because a command may not know the server's mode.
 */
const allowsPrivateDestinations = (): boolean => process.env.APP_MODE?.trim() !== 'production'

/** This module is in `dist/server` in a build and in `src/cli` otherwise, so the path is right in both cases. */
export const projectFolder = resolve(import.meta.dirname, '../..')

/** Returns the operating system's user, whom the audit log names as the actor of a command. */
export function findCliActor(): CommandLineActor {
  try {
    return { kind: 'command line', user: userInfo().username }
  } catch {
    // A container may run under a user id that has no name.
    return { kind: 'command line', user: `uid ${process.getuid?.() ?? 'unknown'}` }
  }
}

/** What a command may use while the store is open. */
export interface CommandContext {
  readonly store: Store
  readonly settings: Settings
  readonly actor: CommandLineActor
  /** What the console's functions need to check and record an operator's action. */
  readonly operators: OperatorContext
  readonly actions: OperatorActions
  readonly state: StoreState
}

/**
 * Returns the id of the lead that an operator names by its id or its reference.
 * @throws CommandError if no lead or several leads have the reference
 */
export async function findLeadId({ store }: CommandContext, text: string): Promise<string> {
  const reference = parseReference(text)
  if (reference === undefined) return text.trim().toLowerCase()
  const [id, ...others] = await findReferencedIds(store.database.db, reference)
  if (id === undefined) {
    throw new CommandError(`There is no lead with the reference ${reference}.`)
  }
  if (others.length === 0) return id
  throw new CommandError(
    `Several leads have the reference ${reference}. Give the id of one:${formatBullets([id, ...others])}`,
  )
}

/** Records a command's action in the audit log before the action, and its outcome afterwards. */
export const runCommandWithAudit = <Result>(
  { store, actor }: CommandContext,
  entry: AuditEntry,
  act: () => Promise<Result>,
  describeResult: (result: Result) => string,
): Promise<Result> => runWithAudit(store, { actor, ...entry }, act, describeResult)

/**
 * Opens the configured store for one command, prints the store's name, and closes the store. Never creates a store.
 * @param migrates false for a backup, because a backup made before an upgrade must contain the old schema
 */
export async function withStore<Result>(
  use: (context: CommandContext) => Promise<Result>,
  report: JsonOption,
  { migrates = true } = {},
): Promise<Result> {
  const settings = readServerSettings()
  assertStoreFile(settings.store)
  const store = await openStore(settings.store)
  return runAndClose(
    async () => {
      if (!(await store.isMade())) throw makeNoStoreError(store.place)
      const state = await store.state()
      printStoreState(state, report)
      if (migrates) await store.migrate()
      const { audit, clock } = store
      const operators = { ...store.operators, audit, clock }
      const allowsLocal = allowsPrivateDestinations()
      const actions = makeOperatorActions(store, store, { clock, allowsLocal })
      return use({ store, settings, actor: findCliActor(), operators, actions, state })
    },
    () => store.close(),
  )
}

const storeHint = `A server creates the store at its first start; a command never does. If your server uses another store:
  with systemd:    sudo leads <command>
  in a container:  docker compose exec worker leads <command>
  elsewhere:       DATA_DIR=<the folder of leads.sqlite> npm run leads -- <command>, or DATABASE_URL_FILE=<file>`

export const makeNoStoreError = (place: string): CommandError =>
  new CommandError(
    `There is no store at ${place}. Nothing was done.\n${storeHint}`,
    exitCodes.unavailable,
  )

/** Throws if the SQLite file is missing, because SQLite would create the file and the command report an empty store. */
export function assertStoreFile({ dataDir, databaseUrl }: StoreSettings): void {
  if (databaseUrl !== undefined) return
  const file = findStoreFile(dataDir)
  try {
    if (statSync(file, { throwIfNoEntry: false })?.size) return
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CommandError(
      `This user cannot read ${file} (${code}). Nothing was done. Run this command as root or as the server’s user.`,
      exitCodes.unavailable,
    )
  }
  throw makeNoStoreError(file)
}

/**
 * Makes the error of a command on a store whose leads were moved: the command would not affect the running site.
 * @param place the file or database of the store that the command opened
 * @param consequence says what was not done
 */
export const makeMovedStoreError = (place: string, move: StoreMove, consequence: string) =>
  new CommandError(
    `${describeStoreMove(place, move)} ${consequence} Set DATABASE_URL or DATA_DIR to the store that has the leads, with the same value as the server’s. ` +
      'Under systemd, set it in /etc/campus-enquiry/store.env.',
  )

/** @throws CommandError if the store's leads were moved elsewhere */
export function assertNotMoved({ place, movedTo }: StoreState): void {
  if (movedTo === undefined) return
  const consequence = 'Nothing was changed: no server uses the old store.'
  throw makeMovedStoreError(place, movedTo, consequence)
}

/**
 * Prints the store's name above a report, or on stderr if a script reads JSON, so that nobody mistakes another store's
 * figures for production's.
 */
export function printStoreState(state: StoreState, { json }: JsonOption): void {
  if (json) printError(describeStore(state))
  else print(`${describeStore(state)}\n`)
}

function describeStore({ place, leads, servers, movedTo }: StoreState): string {
  // A server locks its SQLite file. On PostgreSQL only connections are visible, and an idle server may have none.
  const none = isAbsolute(place)
    ? 'no server is using it'
    : 'no server is connected to it, but an idle server may use it'
  const users = servers.length === 0 ? none : `in use by ${servers.map(describeServer).join('; ')}`
  const store = `Store: ${place} (${pluralize(leads, 'lead')}; ${users})`
  return movedTo === undefined
    ? store
    : `${store}\n${describeStoreMove('this store', movedTo)} These figures are from before the move.`
}
