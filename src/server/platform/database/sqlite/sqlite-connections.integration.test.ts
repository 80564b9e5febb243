import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { storeArrivals } from '#server/enquiries/store-arrivals.ts'
import { openStore } from '#server/store/open-store.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { makeSqliteConnections, type SqliteConnections } from './sqlite-connections.ts'

/** Opens connections on a migrated, empty store. */
async function openConnections(): Promise<SqliteConnections> {
  const dataDir = mkdtempSync(join(tmpdir(), 'connections-test-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const store = await openStore({ dataDir })
  await store.migrate()
  await store.close()
  const connections = makeSqliteConnections(join(dataDir, 'leads.sqlite'))
  onTestFinished(() => connections.close())
  return connections
}

test.each(['commit', 'rollback'] as const)(
  'a lead that arrives during a transaction waits for its %s, and is not part of it',
  async (end) => {
    const connections = await openConnections()
    const happened: string[] = []
    await connections.begin()
    const stored = connections.run(storeArrivals, [exampleArrival()]).then(([accepted]) => {
      happened.push('stored')
      return accepted
    })
    const add = `insert into disclosures (hash, text) values ('another', 'Yes.')`
    await connections.runInTransaction({ sql: add, parameters: [] })
    // Waits long enough for the thread to try the statement, in case it does not wait for its turn.
    for (let turn = 0; turn < 20; turn++) {
      await setImmediate()
      await connections.runInTransaction({ sql: 'select 1', parameters: [] })
    }
    happened.push(end)
    await connections[end]()

    expect(await stored).toMatchObject({ repeated: false })
    expect(happened).toEqual([end, 'stored'])
    const count = `select (select count(*) from leads) as leads, (select count(*) from disclosures) as words`
    const { rows } = await connections.read({ sql: count, parameters: [] })
    expect(rows).toEqual([{ leads: 1, words: end === 'commit' ? 2 : 1 }])
  },
)
