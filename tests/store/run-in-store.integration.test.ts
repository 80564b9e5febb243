import { expect, onTestFinished, test } from 'vitest'
import { makeSqliteConnections } from '#server/platform/database/sqlite/sqlite-connections.ts'
import { askStore } from './ask-store.ts'
import { runInStore } from './run-in-store.ts'
import { sqlitePlace } from './store-places.ts'

test('a statement outside the product waits for this process’s transaction', async () => {
  const { settings, remove } = await sqlitePlace()
  onTestFinished(remove)
  const connections = makeSqliteConnections(`${settings.dataDir}/leads.sqlite`)
  onTestFinished(() => connections.close())
  const statement = (sql: string) => ({ sql, parameters: [] })
  await connections.write(statement('create table notes (text text)'))
  await connections.begin()
  const written = runInStore(settings, "insert into notes values ('by hand')")
  await connections.runInTransaction(statement("insert into notes values ('by the product')"))
  await connections.commit()
  await written
  expect(await askStore(settings, 'select text from notes')).toEqual([
    { text: 'by the product' },
    { text: 'by hand' },
  ])
})
