import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Kysely } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { storeArrivals } from '#server/enquiries/store-arrivals.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { openStore } from '#server/store/open-store.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { makeSqliteConnections } from './sqlite-connections.ts'

/** Opens connections on a migrated, empty store. */
async function openConnections() {
  const dataDir = mkdtempSync(join(tmpdir(), 'connections-test-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const store = await openStore({ dataDir })
  await store.migrate()
  await store.close()
  const connections = makeSqliteConnections(join(dataDir, 'leads.sqlite'))
  onTestFinished(() => connections.close())
  return { ...connections, db: new Kysely<StoreTables>({ dialect: connections.dialect }) }
}

test.each(['commit', 'rollback'] as const)(
  'a lead that arrives during a transaction waits for its %s, and is not part of it',
  async (end) => {
    const { db, run } = await openConnections()
    const happened: string[] = []
    const transaction = await db.startTransaction().execute()
    const stored = run(storeArrivals, [exampleArrival()]).then(([accepted]) => {
      happened.push('stored')
      return accepted
    })
    await transaction.insertInto('disclosures').values({ hash: 'another', text: 'Yes.' }).execute()
    // Waits long enough for the thread to try the statement, in case it does not wait for its turn.
    for (let turn = 0; turn < 20; turn++) {
      await setImmediate()
      await transaction.selectFrom('disclosures').select('hash').execute()
    }
    happened.push(end)
    await transaction[end]().execute()

    expect(await stored).toMatchObject({ repeated: false })
    expect(happened).toEqual([end, 'stored'])
    expect(await db.selectFrom('leads').select('id').execute()).toHaveLength(1)
    const disclosures = await db.selectFrom('disclosures').select('hash').execute()
    expect(disclosures).toHaveLength(end === 'commit' ? 2 : 1)
  },
)
