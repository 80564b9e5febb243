import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client, types } from 'pg'
import type { StoreSettings } from '#server/store/open-store.ts'
import { patience } from '#tests/patience/patience.ts'

export type Row = Readonly<Record<string, unknown>>

const int8 = 20

/** Queries the database without the product's code. Counts and times are numbers on both databases. */
export const askStore = (settings: StoreSettings, query: string): Promise<Row[]> =>
  whileAsking(settings, (ask) => ask(query))

export type Ask = (query: string) => Promise<Row[]>

/** Runs several queries on one connection, because connecting to PostgreSQL costs more than most queries. */
export const whileAsking = <Answer>(
  { dataDir, databaseUrl }: StoreSettings,
  use: (ask: Ask) => Promise<Answer>,
): Promise<Answer> =>
  databaseUrl === undefined
    ? use(async (query) => askSqlite(join(dataDir, 'leads.sqlite'), query))
    : whileConnected(databaseUrl, use)

function askSqlite(file: string, query: string): Row[] {
  const db = new DatabaseSync(file, { readOnly: true, timeout: patience })
  try {
    return db.prepare(query).all()
  } finally {
    db.close()
  }
}

async function whileConnected<Answer>(
  connectionString: string,
  use: (ask: Ask) => Promise<Answer>,
): Promise<Answer> {
  const client = new Client({
    connectionString,
    types: {
      getTypeParser: (oid, format) => (oid === int8 ? Number : types.getTypeParser(oid, format)),
    },
  })
  await client.connect()
  try {
    return await use(async (query) => (await client.query(query)).rows)
  } finally {
    await client.end()
  }
}
