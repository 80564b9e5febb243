import { expect, inject, onTestFinished, test } from 'vitest'
import { unhurried } from './connections/patience.ts'
import { WatchedPool } from './connections/watched-pool.ts'
import { preparedStatement } from './prepared-statement.ts'

/** One connection, so that each call meets what the one before has left on it. */
function openPool(): WatchedPool {
  const config = { connectionString: inject('postgresUrl'), max: 1 }
  const pool = new WatchedPool(config, { patience: unhurried })
  onTestFinished(() => pool.end())
  return pool
}

async function namesOn(pool: WatchedPool): Promise<string[]> {
  const text = 'select name from pg_prepared_statements'
  const rows = await pool.query<{ name: string }>({ text })
  return rows.map(({ name }) => name)
}

const text = 'select $1::int + 1 as sum'

test('is planned once for a connection', async () => {
  const pool = openPool()
  const add = preparedStatement<{ sum: number }>(pool, text)
  expect(await add([1])).toEqual([{ sum: 2 }])
  expect(await add([2])).toEqual([{ sum: 3 }])
  expect(await namesOn(pool)).toHaveLength(1)
})

test('runs on a connection that does not know it any more, as behind a pooler', async () => {
  const pool = openPool()
  const add = preparedStatement<{ sum: number }>(pool, text)
  await add([1])
  await pool.query({ text: 'deallocate all' })
  expect(await add([2])).toEqual([{ sum: 3 }])
  expect(await add([3])).toEqual([{ sum: 4 }])
  expect(await namesOn(pool)).toEqual([])
})

test('runs on a connection where another has its name', async () => {
  const first = openPool()
  await preparedStatement(first, text)([1])
  const [name] = await namesOn(first)
  const pool = openPool()
  await pool.query({ text: `prepare "${name}" as select 0 as sum` })
  expect(await preparedStatement<{ sum: number }>(pool, text)([1])).toEqual([{ sum: 2 }])
})

test('passes on what the statement itself fails at', async () => {
  const pool = openPool()
  const divide = preparedStatement(pool, 'select 1 / $1::int')
  await expect(divide([0])).rejects.toThrow('division by zero')
  expect(await divide([1])).toHaveLength(1)
})
