import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { findLeadSearch } from './person-searches.ts'

test('a malformed search id, such as a typed address, does not reach the database', async () => {
  const db = {} as Kysely<StoreTables>
  for (const typed of ['ada@example.com', '9415550100', '', 'ada lovelace', '00000000000000000']) {
    expect(await findLeadSearch(db, typed, 'operator', 0)).toBeUndefined()
  }
})
