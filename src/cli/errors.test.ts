import { expect, test } from 'vitest'
import {
  ConnectionLostError,
  StoreUnavailableError,
} from '#server/platform/faults/database-errors.ts'
import { toMigrationError } from './backup-and-move.ts'
import { toCommandError } from './errors.ts'

const withCode = (message: string, codes: object) => Object.assign(new Error(message), codes)
const ofSqlite = (errcode: number) =>
  withCode('database or disk is full', { code: 'ERR_SQLITE_ERROR', errcode })

test.each([
  [ofSqlite(13), 1, /^Disk full \(SQLITE_FULL\)\..*undone/],
  [ofSqlite(267), 69, /damaged.*\(SQLITE_CORRUPT\).*runbook/],
  [ofSqlite(26), 69, /damaged.*\(SQLITE_NOTADB\)/],
  [ofSqlite(778), 69, /SQLITE_IOERR/],
  [ofSqlite(5), 69, /SQLITE_BUSY/],
  [withCode('connect ECONNREFUSED', { code: 'ECONNREFUSED' }), 69, /PostgreSQL no longer answers/],
  [withCode('terminating connection', { code: '57P01' }), 69, /no step is done twice/],
  [
    new ConnectionLostError('The connection to PostgreSQL was lost.'),
    69,
    /PostgreSQL no longer answers/,
  ],
  [new Error('Connection terminated unexpectedly'), 69, /PostgreSQL no longer answers/],
  [new Error('Postgres connection has been discarded'), 69, /PostgreSQL no longer answers/],
  [new StoreUnavailableError('Is DATA_DIR right?'), 69, /^Is DATA_DIR right\?$/],
] as const)('%s is a sentence, with %i', (error, exitCode, message) => {
  expect(toCommandError(error)).toMatchObject({
    name: 'CommandError',
    exitCode,
    message: expect.stringMatching(message),
  })
})

test('an error in our code keeps its stack', () => {
  const own = new TypeError('undefined is not a function')
  const row = withCode('duplicate key', { code: '23505' })
  expect(toCommandError(own)).toBe(own)
  expect(toCommandError(row)).toBe(row)
})

test('an interrupted move reports that everything or nothing was copied', () => {
  expect(toMigrationError(withCode('', { code: '57P01' }))).toMatchObject({
    exitCode: 69,
    message: expect.stringMatching(/The copy is complete or absent/),
  })
})
