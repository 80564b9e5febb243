import type { PostgresPool } from 'kysely'
import { describe, inject, type TestContext, test } from 'vitest'
import { type Silence, startFaultyLine } from '#tests/postgres/faulty-line.ts'
import { ConnectionLostError } from '../../faults/database-errors.ts'
import { makeTimeoutPool } from './timeout-pool.ts'

/** Milliseconds. A statement of these tests takes a few milliseconds, unless the machine stalls. */
const patience = { connect: 6000, answer: 4000 }

function openPool(
  connectionString: string,
  max: number,
  { onTestFinished }: TestContext,
  answer = patience.answer,
) {
  const config = { connectionString, max, connectionTimeoutMillis: patience.connect }
  const pool = makeTimeoutPool(config, answer)
  onTestFinished(() => pool.end())
  return pool
}

async function poolBehindFaultyLine(connections: number, context: TestContext) {
  const line = await startFaultyLine(inject('postgresUrl'))
  context.onTestFinished(line.close)
  return { line, pool: openPool(line.url, connections, context) }
}

const ask = (what: string) => `select ${what} as answer`

async function query(pool: PostgresPool, text: string) {
  const client = await pool.connect()
  try {
    return (await client.query<{ answer: unknown }>(text, [])).rows
  } finally {
    client.release()
  }
}

// The tests run concurrently because they mostly wait.
describe.concurrent('a pool that watches its connections', () => {
  test.for<Silence>(['both ways', 'answers'])(
    'a statement whose answer is lost (%s) rejects, and its connection is not used again',
    async (silence, context) => {
      const { expect } = context
      const { line, pool } = await poolBehindFaultyLine(1, context)
      await query(pool, ask('1'))
      line.fallSilent(silence)
      await expect(query(pool, ask('2'))).rejects.toThrow(ConnectionLostError)
      expect(await query(pool, ask('3'))).toEqual([{ answer: 3 }])
    },
  )

  test('idle connections are given up with a silent one', async (context) => {
    const { expect } = context
    const { line, pool } = await poolBehindFaultyLine(3, context)
    // The statements run at the same time, so that each needs a connection of its own.
    await Promise.all([1, 2, 3].map(() => query(pool, ask('pg_sleep(0.3)'))))
    line.fallSilent('both ways')
    await expect(query(pool, ask('1'))).rejects.toThrow(ConnectionLostError)
    for (const n of [2, 3, 4]) expect(await query(pool, ask(`${n}`))).toEqual([{ answer: n }])
  })

  test('a statement that is answered slowly in parts may finish', async (context) => {
    const { expect } = context
    const { pool } = await poolBehindFaultyLine(1, context)
    const rows = await query(
      pool,
      `select pg_sleep(${patience.answer / 4000}), repeat('x', 100000) from generate_series(1, 6)`,
    )
    expect(rows).toHaveLength(6)
  })

  test('a statement that PostgreSQL rolled back because of a conflict is retried, but not within a transaction', async (context) => {
    const { expect } = context
    const pool = openPool(inject('postgresUrl'), 1, context)
    const client = await pool.connect()
    const run = (text: string) => client.query(text, [])
    await run('create temporary sequence tries')
    await run(`create function pg_temp.conflict_twice() returns int language plpgsql as $$begin
      if nextval('tries') % 3 <> 0 then raise serialization_failure; end if; return 1; end$$`)
    expect(await run('select pg_temp.conflict_twice() as answer')).toMatchObject({
      rows: [{ answer: 1 }],
    })
    await run('begin')
    await expect(run('select pg_temp.conflict_twice()')).rejects.toMatchObject({ code: '40001' })
    await run('rollback')
    client.release()
  })

  test('unanswered new connections are closed and retried', async (context) => {
    const { expect } = context
    const { line, pool } = await poolBehindFaultyLine(1, context)
    line.fallSilent('both ways, new connections too')
    await expect(query(pool, ask('1'))).rejects.toThrow('connection timeout')
    line.endSilence()
    expect(await query(pool, ask('2'))).toEqual([{ answer: 2 }])
  })
})

test('an answer that arrived while this process was stalled is read', async (context) => {
  const answer = 1000
  const pool = openPool(inject('postgresUrl'), 1, context, answer)
  await query(pool, ask('1'))
  const asked = query(pool, ask('2'))
  // The statement is sent in this turn of the event loop; the next turn comes only after the limit.
  setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1.5 * answer))
  context.expect(await asked).toEqual([{ answer: 2 }])
})
