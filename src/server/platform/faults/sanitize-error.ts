import { OwnError } from '#domain/own-error.ts'
import { sqliteCodeName } from './sqlite-code.ts'

/** The words of `pg` where it gives no code. */
export const wordsOfPg: ReadonlySet<string> = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
])

/** Names of the system's, the schema's: they say where it was. */
const namesToTell = ['code', 'syscall', 'table', 'column', 'constraint']

/**
 * What a log may have of an error. Other people's words quote what they were given: PostgreSQL a row's values, V8 the
 * text that is no JSON, Node the value of a wrong type. So a message is told where it is our own, SQLite's (which names
 * tables and columns alone) or one of a closed list; of the rest, names and the place in the code must do.
 */
export function sanitizeError(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { name: 'something was thrown that is no error' }
  const { name, message, stack = '' } = error
  const sqliteName = sqliteCodeName(error)
  return {
    name,
    ...(isPlain(error) ? { message } : {}),
    ...Object.fromEntries(
      namesToTell.map((key) => [key, Reflect.get(error, key)]).filter(([, value]) => isName(value)),
    ),
    ...(sqliteName === undefined
      ? {}
      : { code: sqliteName, errcode: Reflect.get(error, 'errcode') }),
    stack: framesOf(stack, message),
  }
}

const isName = (value: unknown): boolean => typeof value === 'string' && /^\w{1,63}$/.test(value)

const isPlain = (error: Error): boolean =>
  error instanceof OwnError ||
  ('errcode' in error && typeof error.errcode === 'number') ||
  wordsOfPg.has(error.message)

/** A stack without the message before it, which may have lines that look like the stack's own. */
function framesOf(stack: string, message: string): string {
  const start = stack.indexOf(message)
  if (start === -1) return ''
  const frames = stack.slice(start + message.length).split('\n')
  return frames.filter((line) => line.startsWith('    at ')).join('\n')
}
