import { sql } from 'kysely'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { openStore } from '#server/store/open-store.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { postgresPlace, usePlace } from '#tests/store/store-places.ts'
import { freshDatabase } from './fresh-database.ts'
import { runStatements } from './run-statements.ts'

async function open(url: string) {
  const store = await openStore({ dataDir: 'unused', databaseUrl: url })
  onTestFinished(store.close)
  return store
}

test('a dropped database is empty for the next test', async () => {
  const { url, drop } = await freshDatabase(inject('postgresUrl'))
  await runStatements(url, 'create table left_behind (id int)')
  await drop()
  const next = await freshDatabase(inject('postgresUrl'))
  onTestFinished(next.drop)
  expect(next.url).toBe(url)
  const { operators } = await open(next.url)
  const tables = await sql`select 1 from pg_class
    where relnamespace = 'public'::regnamespace`.execute(operators.db)
  expect(tables.rows).toEqual([])
})

describe('the store of a test on PostgreSQL', () => {
  const place = usePlace(postgresPlace)

  test.each([
    'is new',
    'is new after a test that has stored a lead',
    'is new after a test that has changed the schema',
    'is new after a test that has emptied a table that migrations fill',
  ])('%s', async (after) => {
    const { intake, operators } = await place.open()
    const { db } = operators
    const of = async (table: 'leads' | 'delivery_gate' | 'secrets' | 'audit') =>
      (await db.selectFrom(table).selectAll().execute()).length
    expect(await of('leads')).toBe(0)
    expect(await of('delivery_gate')).toBe(1)
    expect(await of('secrets')).toBe(2)
    const { rows } = await sql`select 1 from pg_class where relname = 'left_behind'`.execute(db)
    expect(rows).toEqual([])
    await intake.accept(exampleArrival())
    if (after.endsWith('stored a lead')) await sql`create table left_behind (id int)`.execute(db)
    else await db.deleteFrom('delivery_gate').execute()
  })
})
