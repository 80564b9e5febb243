import { DatabaseSync } from 'node:sqlite'
import type { Kysely } from 'kysely'
import { StoreUnavailableError } from './faults/store-unavailable-error.ts'
import type { StoreTables } from './tables/store-tables.ts'

/** Where a store's leads have gone. */
export interface Move {
  /** A file, or host, port and database. */
  readonly place: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** A server on leads that have gone elsewhere would thank visitors whom nobody serves, and deliver a second time. */
export class StoreMovedError extends StoreUnavailableError {
  constructor(from: string, move: Move) {
    super(
      `${movedInWords(from, move)} What comes here would be lost to it. Set DATABASE_URL or DATA_DIR to where the leads ` +
        'are; to go back to this store: docs/storage.md, “And back”.',
    )
  }
}

export const movedInWords = (from: string, { place, at }: Move): string =>
  `The leads of ${from} were moved to ${place} at ${new Date(at).toISOString()}.`

export async function findMove(db: Kysely<StoreTables>): Promise<Move | undefined> {
  return db.selectFrom('moves').select(['place', 'moved_at as at']).executeTakeFirst()
}

/** @throws StoreMovedError where the leads have gone elsewhere */
export async function refuseMoved(database: {
  readonly db: Kysely<StoreTables>
  readonly place: string
}): Promise<void> {
  const move = await findMove(database.db)
  if (move !== undefined) throw new StoreMovedError(database.place, move)
}

/** The same of a file that nobody has brought up to date; undefined, too, where it cannot be read. */
export function findMoveIn(file: string): Move | undefined {
  try {
    const database = new DatabaseSync(file, { readOnly: true })
    try {
      return findMoveOf(database)
    } finally {
      database.close()
    }
  } catch {
    return undefined
  }
}

export function findMoveOf(database: DatabaseSync): Move | undefined {
  const isKept = "select 1 from sqlite_master where name = 'moves'"
  if (database.prepare(isKept).get() === undefined) return undefined
  const row = database.prepare('select place, moved_at as at from moves').get()
  return row === undefined ? undefined : { place: String(row.place), at: Number(row.at) }
}

export function markMoved(database: DatabaseSync, { place, at }: Move): void {
  database.exec('delete from moves')
  database.prepare('insert into moves (place, moved_at) values (?, ?)').run(place, at)
}
