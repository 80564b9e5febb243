import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client, types } from 'pg'
import type { StoreSettings } from '#server/store/open-store.ts'

export type Row = Readonly<Record<string, unknown>>

const int8 = 20

/** Asks the database itself, past all of the product's code. Counts and times are numbers on both stores. */
export async function askStore(settings: StoreSettings, query: string): Promise<Row[]> {
  return settings.databaseUrl === undefined
    ? askSqlite(join(settings.dataDir, 'leads.sqlite'), query)
    : askPostgres(settings.databaseUrl, query)
}

function askSqlite(file: string, query: string): Row[] {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
  try {
    return db.prepare(query).all()
  } finally {
    db.close()
  }
}

async function askPostgres(connectionString: string, query: string): Promise<Row[]> {
  const client = new Client({
    connectionString,
    types: {
      getTypeParser: (oid, format) => (oid === int8 ? Number : types.getTypeParser(oid, format)),
    },
  })
  await client.connect()
  try {
    return (await client.query(query)).rows
  } finally {
    await client.end()
  }
}
