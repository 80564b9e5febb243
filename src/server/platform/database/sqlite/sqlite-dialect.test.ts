import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeNodeSqliteDialect } from './sqlite-dialect.ts'

let folder: string
let db: Kysely<{ notes: { id: number } }>
let other: DatabaseSync

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dialect-test-'))
  const file = join(folder, 'notes.sqlite')
  db = new Kysely({ dialect: makeNodeSqliteDialect(new DatabaseSync(file)) })
  other = new DatabaseSync(file, { timeout: 0 })
  await sql`create table notes (id integer primary key)`.execute(db)
})

afterEach(async () => {
  other.close()
  await db.destroy()
  rmSync(folder, { recursive: true })
})

test('a transaction has the write lock from its first moment, and gives it back', async () => {
  await db.transaction().execute(async () => {
    expect(() => other.exec('begin immediate')).toThrow('database is locked')
  })
  other.exec('begin immediate; rollback')
})

test('a transaction that SQLite itself rolled back says why', async () => {
  const transaction = db.transaction().execute(async (notes) => {
    await notes.insertInto('notes').values({ id: 1 }).execute()
    await sql`insert or rollback into notes values (1)`.execute(notes)
  })
  await expect(transaction).rejects.toThrow('UNIQUE constraint failed')
})

test('a transaction that fails leaves nothing', async () => {
  const transaction = db.transaction().execute(async (notes) => {
    await notes.insertInto('notes').values({ id: 1 }).execute()
    throw new Error('changed my mind')
  })
  await expect(transaction).rejects.toThrow('changed my mind')
  expect(await db.selectFrom('notes').selectAll().execute()).toEqual([])
})
