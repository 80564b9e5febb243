import type { LeadDatabase } from './lead-database.ts'
import { findMove, type Move } from './moves.ts'
import type { RunningServer } from './running-server.ts'

export interface StoreState {
  readonly place: string
  readonly leads: number
  /** Undefined where they are here. */
  readonly movedTo: Move | undefined
  readonly servers: readonly RunningServer[]
}

/** What a store is, and who uses it. */
export async function stateOf(database: LeadDatabase): Promise<StoreState> {
  const { place, db, patient } = database
  const { leads } = await patient
    .selectFrom('leads')
    .select((eb) => eb.fn.countAll<number>().as('leads'))
    .executeTakeFirstOrThrow()
  const movedTo = (await database.hasTable('moves')) ? await findMove(db) : undefined
  return { place, leads, servers: await database.servers(), movedTo }
}
