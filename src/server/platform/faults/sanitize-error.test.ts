import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { LoggableError } from '#domain/loggable-error.ts'
import { sanitizeError } from './sanitize-error.ts'

const typed = 'Quillfeather'

function thrownBy(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

/** PostgreSQL's error for a refused row. */
const ofPostgres = Object.assign(
  new DatabaseError(`invalid input syntax for type bigint: "${typed}"`, 99, 'error'),
  {
    code: '22P02',
    table: 'leads',
    constraint: 'leads_idempotency_key_key',
    detail: `Key (email)=(${typed}@example.com) already exists.`,
    where: `COPY leads, line 1, column email: "${typed}"`,
    parameters: [typed],
  },
)

test.each<[string, unknown, Record<string, unknown>]>([
  [
    'PostgreSQL’s error',
    ofPostgres,
    {
      name: 'error',
      code: '22P02',
      table: 'leads',
      constraint: 'leads_idempotency_key_key',
    },
  ],
  ['V8’s error about JSON', thrownBy(() => JSON.parse(typed)), { name: 'SyntaxError' }],
  ['V8’s error about a string', thrownBy(() => 'x' in (typed as never)), { name: 'TypeError' }],
  [
    'Node’s error about a value',
    thrownBy(() => readFileSync(typed, typed as never)),
    { name: 'TypeError', code: 'ERR_INVALID_ARG_VALUE' },
  ],
  ['Node’s error about an address', thrownBy(() => new URL(typed)), { code: 'ERR_INVALID_URL' }],
  [
    'the system’s error',
    thrownBy(() => readFileSync(`/nowhere/${typed}`)),
    { code: 'ENOENT', syscall: 'open' },
  ],
  [
    'an error whose message looks like a stack',
    new Error(`no\n    at ${typed} (${typed}:1:1)\n    at ${typed}`),
    { name: 'Error' },
  ],
  [
    'an error with a cause',
    new LoggableError('not kept', { cause: new Error(typed) }),
    { message: 'not kept' },
  ],
  [
    'an error whose code is not a name',
    Object.assign(new Error(), { code: `${typed} was here` }),
    { name: 'Error' },
  ],
  ['a thrown value that is no error', typed, { name: 'a thrown value that is not an error' }],
])('%s is logged without the text that it quotes', (_, error, expected) => {
  const sanitized = sanitizeError(error)
  expect(sanitized).toMatchObject(expected)
  expect(JSON.stringify(sanitized)).not.toContain(typed)
})

test('the log has the place in the code', () => {
  expect(sanitizeError(new Error('two\nlines')).stack).toMatch(/^ {4}at .*sanitize-error\.test\.ts/)
})

test('SQLite’s own code is shown, as in the runbook, and not Node’s common one', () => {
  const db = new DatabaseSync(':memory:')
  db.exec('pragma max_page_count = 2')
  const full = thrownBy(() => db.exec('create table a (x); create table b (x)'))
  expect(sanitizeError(full)).toMatchObject({ code: 'SQLITE_FULL', errcode: 13 })
  const error = new Error('disk I/O error')
  // SQLite's error for a failed write: https://sqlite.org/rescode.html#ioerr_write
  expect(
    sanitizeError(Object.assign(error, { code: 'ERR_SQLITE_ERROR', errcode: 778 })),
  ).toMatchObject({
    code: 'SQLITE_IOERR',
    errcode: 778,
  })
})

test('our own messages, SQLite’s, and listed messages of the PostgreSQL driver are logged', () => {
  const db = new DatabaseSync(':memory:')
  const ofSqlite = thrownBy(() => db.exec('insert into leads values (1)'))
  expect(sanitizeError(ofSqlite)).toMatchObject({ message: 'no such table: leads' })
  expect(sanitizeError(new LoggableError('The store is closed.')).message).toBe(
    'The store is closed.',
  )
  expect(sanitizeError(new Error('timeout expired')).message).toBe('timeout expired')
})
