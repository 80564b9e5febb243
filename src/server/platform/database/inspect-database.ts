import { sql } from 'kysely'
import { OwnError } from '#domain/own-error.ts'
import type { LeadDatabase } from './lead-database.ts'
import { schemaState } from './migrations/migrate-store.ts'
import { refuseMoved } from './moves.ts'
import { openLeadDatabase } from './open-lead-database.ts'

/** `empty`: no server has used the database; the first start creates the schema. */
export type SchemaState = 'empty' | 'older' | 'current' | 'newer'

export interface InspectedDatabase {
  /** Host, port and database. */
  readonly place: string
  readonly schema: SchemaState
}

/**
 * Signs in to PostgreSQL and looks whether a server could start on the database and write to it. Changes nothing.
 * @throws an error in words for an operator, which hold no password, where it could not
 */
export async function inspectDatabase(databaseUrl: string): Promise<InspectedDatabase> {
  const database = await openLeadDatabase('', databaseUrl)
  try {
    await database.assertWritable()
    const schema = (await database.hasTable('kysely_migration'))
      ? await schemaState(database.db)
      : 'empty'
    if (schema !== 'empty' && (await database.hasTable('moves'))) await refuseMoved(database)
    if (schema === 'empty' || schema === 'older') await assertMayCreate(database)
    if (schema !== 'empty') await assertMayInsert(database)
    return { place: database.place, schema }
  } finally {
    await database.close()
  }
}

async function assertMayCreate({ db, place }: LeadDatabase): Promise<void> {
  const { rows } = await sql<{ may: boolean | null; user: string }>`
    select has_schema_privilege(current_schema(), 'create') as may, current_user as user`.execute(
    db,
  )
  if (rows[0]?.may !== true) {
    throw new OwnError(
      `The user ${rows[0]?.user} may not create tables in ${place}: make that user the owner of the database, or run ` +
        'GRANT CREATE ON SCHEMA public TO it.',
    )
  }
}

async function assertMayInsert({ db, place }: LeadDatabase): Promise<void> {
  const { rows } = await sql<{ may: boolean; user: string }>`
    select has_table_privilege('leads', 'insert') and has_table_privilege('deliveries', 'update') as may,
      current_user as user`.execute(db)
  if (rows[0]?.may !== true) {
    throw new OwnError(
      `The user ${rows[0]?.user} may not write to the tables of ${place}: sign in as the user who owns them.`,
    )
  }
}
