import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeSqliteConnections, makeWriteQueue } from './sqlite-connections.ts'

interface Tables {
  notes: { id: number; text: string | null }
}

let folder: string
let db: Kysely<Tables>
let other: DatabaseSync

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'threads-test-'))
  const file = join(folder, 'notes.sqlite')
  db = new Kysely({ dialect: makeSqliteConnections(file).dialect })
  await sql`pragma journal_mode = wal`.execute(db)
  await sql`create table notes (id integer primary key, text text)`.execute(db)
  other = new DatabaseSync(file, { timeout: 0 })
})

afterEach(async () => {
  other.close()
  await db.destroy()
  rmSync(folder, { recursive: true })
})

const add = (id: number, store: Kysely<Tables> = db) =>
  store.insertInto('notes').values({ id, text: null }).execute()
const ids = async () => (await db.selectFrom('notes').select('id').execute()).map(({ id }) => id)

test('a write can be read at once, and changes are counted', async () => {
  await add(1)
  expect(await ids()).toEqual([1])
  const { numUpdatedRows } = await db.updateTable('notes').set({ text: 'x' }).executeTakeFirst()
  expect(numUpdatedRows).toBe(1n)
})

test('a transaction’s changes are visible only to itself until it ends', async () => {
  await db.transaction().execute(async (tx) => {
    await add(1, tx)
    expect(await ids()).toEqual([])
    expect(await tx.selectFrom('notes').selectAll().execute()).toHaveLength(1)
  })
  expect(await ids()).toEqual([1])
})

test('a read with raw SQL does not wait for a transaction either', async () => {
  await db.transaction().execute(async (tx) => {
    await add(1, tx)
    expect((await sql`select id from notes`.execute(db)).rows).toEqual([])
    const { rows } = await sql`with found as (select id from notes) select id from found`.execute(
      db,
    )
    expect(rows).toEqual([])
    expect((await sql`select id from notes`.execute(tx)).rows).toEqual([{ id: 1 }])
  })
})

test('transactions and single writes that come at once run one after the other', async () => {
  await add(0)
  await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      index % 2 === 0
        ? add(index + 1)
        : db.transaction().execute(async (tx) => {
            const { count } = await tx
              .selectFrom('notes')
              .select((eb) => eb.fn.countAll<number>().as('count'))
              .executeTakeFirstOrThrow()
            await add(100 + count, tx)
          }),
    ),
  )
  expect(await ids()).toHaveLength(11)
})

test('a transaction that fails leaves nothing, and the next one has its turn', async () => {
  const failed = db.transaction().execute(async (tx) => {
    await add(1, tx)
    throw new Error('changed my mind')
  })
  await expect(failed).rejects.toThrow('changed my mind')
  await add(2)
  expect(await ids()).toEqual([2])
})

test('a transaction that SQLite itself rolled back says why, with its code', async () => {
  const failed = db.transaction().execute(async (tx) => {
    await add(1, tx)
    await sql`insert or rollback into notes values (1, null)`.execute(tx)
  })
  await expect(failed).rejects.toMatchObject({
    message: 'UNIQUE constraint failed: notes.id',
    code: 'ERR_SQLITE_ERROR',
    errcode: 1555,
  })
  await add(2)
})

test('a write waits for another process’s transaction for a second, and then rejects as busy', async () => {
  other.exec('begin immediate')
  await expect(db.transaction().execute((tx) => add(1, tx))).rejects.toMatchObject({
    errcode: 5,
  })
  other.exec('rollback')
  await db.transaction().execute((tx) => add(1, tx))
})

test('a single write waits for as long as another process’s transactions, and succeeds after them', async () => {
  other.exec('begin immediate')
  const added = add(1)
  // A transaction is not retried by itself, so its refusal shows that SQLite has refused the write before it, too.
  await expect(db.transaction().execute((tx) => add(2, tx))).rejects.toMatchObject({
    errcode: 5,
  })
  other.exec('rollback')
  await added
  expect(await ids()).toEqual([1])
})

/** Starts a long list and a write together, and returns which of them ends first. */
async function firstOf(rowsOfList: number, id: number): Promise<'list' | 'write'> {
  const long = sql<{ count: number }>`(
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${rowsOfList})
    select count(*) as count from numbers)`
  const list = db
    .selectFrom(long.as<'numbers'>(sql.ref('numbers')))
    .selectAll()
    .execute()
    .then(() => 'list' as const)
  const write = add(id).then(() => 'write' as const)
  const first = await Promise.race([list, write])
  await Promise.all([list, write])
  return first
}

test('a write overtakes a long list', async () => {
  // A write waits for the disk, whose speed is unknown, so the test tries longer lists until a write overtakes one.
  for (let rows = 1_000_000; rows <= 256_000_000; rows *= 4) {
    if ((await firstOf(rows, rows)) === 'write') return
  }
  expect.fail('Writes wait for lists, however long.')
})

test('a thread that ends also ends the process, and its unanswered calls reject', () => {
  const module = (name: string) => JSON.stringify(join(import.meta.dirname, name))
  const script = `
    import { makeDatabaseThread } from ${module('database-thread.ts')}
    const thread = makeDatabaseThread(${JSON.stringify(join(folder, 'other.sqlite'))}, {})
    thread.call('nonsense').then(
      () => console.log('answered'),
      () => console.log('failed'),
    )
    setInterval(() => undefined, 1000)`
  const file = join(folder, 'script.mjs')
  writeFileSync(file, script)
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], {
    encoding: 'utf8',
    timeout: 20_000,
  })
  expect(status).toBe(1)
  expect(stdout).not.toContain('answered')
  expect(stderr).toContain('TypeError')
})

describe('turns to write', () => {
  /** Returns a function that takes a turn in the write queue, records its name, and ends the turn a moment later. */
  function taker() {
    const takeTurn = makeWriteQueue()
    const taken: string[] = []
    return {
      taken,
      take: async (name: string) => {
        const endTurn = await takeTurn()
        taken.push(name)
        await Promise.resolve()
        taken.push(`${name} ends`)
        endTurn()
      },
    }
  }

  test('come one at a time, in the order of the requests', async () => {
    const { taken, take } = taker()
    await Promise.all([take('a'), take('b'), take('c')])
    expect(taken).toEqual(['a', 'a ends', 'b', 'b ends', 'c', 'c ends'])
  })

  test('can be taken again at once', async () => {
    const { taken, take } = taker()
    await take('a')
    await take('b')
    expect(taken).toHaveLength(4)
  })
})
