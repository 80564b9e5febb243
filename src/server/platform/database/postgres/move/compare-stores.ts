import type { DatabaseSync } from 'node:sqlite'
import type { Transaction } from 'kysely'
import type { StoreTables } from '../../tables/store-tables.ts'
import {
  digestSource,
  digestTarget,
  ofThePlace,
  type TableName,
  tableNames,
} from './copy-tables.ts'

export interface MovedTable {
  readonly name: TableName
  readonly rows: number
}

/** Counts and checksums. The breaker may differ: it says what holds deliveries up here and now. */
export async function compareStores(
  source: DatabaseSync,
  target: Transaction<StoreTables>,
): Promise<{ readonly tables: readonly MovedTable[]; readonly different: readonly TableName[] }> {
  const tables: MovedTable[] = []
  const different: TableName[] = []
  for (const name of tableNames) {
    const read = digestSource(source, name)
    tables.push({ name, rows: read.rows })
    if (ofThePlace.includes(name)) continue
    if (!read.equals(await digestTarget(target, name))) different.push(name)
  }
  return { tables, different }
}
