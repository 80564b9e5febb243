import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { OwnError } from '#domain/own-error.ts'
import type { StoreTables } from '../tables/store-tables.ts'
import { dataFolderFault } from './data-folder.ts'

const markOf = (dataDir: string): string => join(dataDir, 'leads.sqlite-damaged')

/**
 * Says that a server has found the file damaged. What opens it next would meet the damage only where it reads that page,
 * and thank visitors until then.
 */
export function markDamaged(dataDir: string): void {
  try {
    writeFileSync(markOf(dataDir), '', { mode: 0o600 })
  } catch {
    // The disk may be what is at fault. That the server ends does not hang on it.
  }
}

/**
 * Where a server has left the mark, reads the whole file: one that was restored or recovered is well, and loses it.
 * @throws StoreUnavailableError where it is still damaged
 */
export async function refuseDamaged(dataDir: string, db: Kysely<StoreTables>): Promise<void> {
  if (!existsSync(markOf(dataDir))) return
  const found = await check(db)
  if (found !== undefined) throw dataFolderFault(dataDir, found)
  rmSync(markOf(dataDir), { force: true })
}

async function check(db: Kysely<StoreTables>): Promise<unknown> {
  try {
    const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db)
    const [found] = rows
    if (found === undefined || found.quick_check === 'ok') return undefined
    return Object.assign(new OwnError(found.quick_check.split('\n', 1)[0]), {
      errcode: sqliteCorrupt,
    })
  } catch (error) {
    return error
  }
}

/** https://sqlite.org/rescode.html#corrupt */
const sqliteCorrupt = 11
