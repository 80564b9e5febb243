import { setTimeout } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { StoreTables } from '../store-tables.ts'

const maxTries = 3
const pauseMs = 200

/**
 * Copies SQLite's write-ahead log into the file and cuts it to nothing: it holds pages as they were before an erasure.
 * Another process that reads or writes at that moment stands in the way; it is asked for three times, as writers wait meanwhile.
 */
export async function truncateLog(db: Kysely<StoreTables>): Promise<'wiped' | 'wipe again'> {
  for (let tries = 1; ; tries++) {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db)
    if (rows[0]?.busy === 0) return 'wiped'
    if (tries === maxTries) return 'wipe again'
    await setTimeout(pauseMs)
  }
}
