import { Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { makeSqliteConnections } from '#server/platform/database/sqlite/sqlite-connections.ts'
import { askStore } from './ask-store.ts'
import { runInStore } from './run-in-store.ts'
import { sqlitePlace } from './store-places.ts'

test('a statement outside the product waits for this process’s transaction', async () => {
  const { settings, remove } = await sqlitePlace()
  onTestFinished(remove)
  const { dialect } = makeSqliteConnections(`${settings.dataDir}/leads.sqlite`)
  const db = new Kysely({ dialect })
  onTestFinished(() => db.destroy())
  await sql`create table notes (text text)`.execute(db)
  const transaction = await db.startTransaction().execute()
  const written = runInStore(settings, "insert into notes values ('by hand')")
  await sql`insert into notes values ('by the product')`.execute(transaction)
  await transaction.commit().execute()
  await written
  expect(await askStore(settings, 'select text from notes')).toEqual([
    { text: 'by the product' },
    { text: 'by hand' },
  ])
})
