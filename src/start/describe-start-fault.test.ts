import { expect, test } from 'vitest'
import { describeStartFault } from './describe-start-fault.ts'

const ofSqlite = (errcode: number, message: string) =>
  Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode })
const sqlite = { dataDir: '/data' }
const postgres = { dataDir: './data', databaseUrl: 'postgres://user:secret@db/leads' }

test.each([
  [
    'a damaged page',
    sqlite,
    ofSqlite(267, 'malformed'),
    /^\/data\/leads\.sqlite is damaged.*runbook/,
  ],
  ['a full disk', sqlite, ofSqlite(13, 'full'), /^The data folder \/data .*SQLITE_FULL.*Make room/],
  [
    'a failing disk',
    sqlite,
    ofSqlite(778, 'disk I/O error'),
    /^The data folder \/data .*SQLITE_IOERR/,
  ],
  [
    'a damaged table of PostgreSQL',
    postgres,
    Object.assign(new Error('invalid page'), { code: 'XX001' }),
    /^PostgreSQL reports that its data is damaged \(XX001/,
  ],
  [
    'a PostgreSQL that went away',
    postgres,
    new Error('Postgres connection has been discarded'),
    /^PostgreSQL no longer answers .*Start again when PostgreSQL answers/,
  ],
] as const)(
  '%s that is found after the store was opened is explained in a sentence',
  (_, store, error, words) => {
    const said = describeStartFault(error, 'PORT', store)
    expect(said).toMatch(words)
    expect(said).not.toContain('secret')
  },
)

test('an error in our code keeps its stack', () => {
  expect(describeStartFault(ofSqlite(1, 'no such column'), 'PORT', sqlite)).toBeUndefined()
  expect(describeStartFault(new TypeError('undefined'), 'PORT', postgres)).toBeUndefined()
})
