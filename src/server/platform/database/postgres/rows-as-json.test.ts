import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { expect, test } from 'vitest'
import { rowsAsJson } from './rows-as-json.ts'

interface Tables {
  people: { name: string; age: number | null }
}

const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  plugins: [rowsAsJson],
})

const insert = (rows: { name: string; age: number | null }[]) =>
  db
    .insertInto('people')
    .values(rows)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('name')
    .compile()

test('many rows are one parameter, and the rest of the statement stays', () => {
  const { sql, parameters } = insert([
    { name: 'Ada "the first"', age: 36 },
    { name: 'half a \ud83c', age: null },
  ])
  expect(parameters).toHaveLength(1)
  expect(JSON.parse(String(parameters[0]))).toEqual([
    { name: 'Ada "the first"', age: 36 },
    { name: 'half a \ufffd', age: null },
  ])
  expect(sql.replace(/\s+/g, ' ')).toBe(
    'insert into "people" ("name", "age") select "sent"."name", "sent"."age" ' +
      'from json_populate_recordset(null::"people", $1) as sent ' +
      'on conflict ("name") do nothing returning "name"',
  )
})

test('one row is sent as it is', () => {
  expect(insert([{ name: 'Ada', age: 36 }]).parameters).toEqual(['Ada', 36])
})

test('rows with a default among them are sent as they are', () => {
  const rows = [{ name: 'Ada', age: 36 }, { name: 'Grace' }] as { name: string; age: number }[]
  expect(insert(rows).parameters).toEqual(['Ada', 36, 'Grace'])
})
