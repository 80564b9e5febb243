import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { QueryResult } from 'kysely'
import { LoggableError } from '#domain/loggable-error.ts'
import { QueryTooLongError, queryLimitMs } from '../../faults/database-errors.ts'
import { deserializeError, type SerializedError, type Statement } from './database-thread.ts'

/** In the build, this module and the reader process's file are in one folder. */
const processFile = import.meta.url.endsWith('.ts')
  ? './time-limited-reader-process.ts'
  : './time-limited-reader-process.js'

/** Two reader processes, so that one slow query does not block all pages. A process takes about 50 MB. */
const readers = 2

export type ReaderReply =
  | { readonly rows: readonly unknown[] }
  | { readonly fault: SerializedError }

/**
 * Runs the console's queries, each for at most {@link queryLimitMs}. Each reader is a process, which starts on demand
 * and is killed at the limit, because Node can neither stop a running SQLite query nor end a thread that runs one.
 * @param onFault called with every SQLite error
 */
export function makeTimeLimitedReaders(file: string, onFault: (error: Error) => void) {
  const all = Array.from({ length: readers }, () => makeReader(file))
  const idle = [...all]
  const waiting: ((reader: TimeLimitedReader) => void)[] = []
  const nextIdle = (): Promise<TimeLimitedReader> => {
    const { promise, resolve, reject } = Promise.withResolvers<TimeLimitedReader>()
    waiting.push(resolve)
    const tooLong = setTimeout(() => {
      waiting.splice(waiting.indexOf(resolve), 1)
      reject(new QueryTooLongError())
    }, queryLimitMs)
    return promise.finally(() => clearTimeout(tooLong))
  }
  return {
    /** @throws QueryTooLongError if the query runs, or waits for its turn, too long */
    read: async (statement: Statement): Promise<QueryResult<unknown>> => {
      const reader = idle.pop() ?? (await nextIdle())
      try {
        const reply = await reader.read(statement)
        if ('rows' in reply) return { rows: [...reply.rows] }
        const error = deserializeError(reply.fault)
        onFault(error)
        throw error
      } finally {
        const next = waiting.shift()
        if (next === undefined) idle.push(reader)
        else next(reader)
      }
    },
    /** Ends the reader processes; running and waiting queries reject. */
    close: async (): Promise<void> => {
      await Promise.all(all.map((reader) => reader.close()))
    },
  }
}

type TimeLimitedReader = ReturnType<typeof makeReader>

/** Makes a reader: a process that starts on demand and runs one query at a time. */
function makeReader(file: string) {
  let process: ChildProcess | undefined
  let isClosed = false
  const start = (): ChildProcess => {
    const started = fork(fileURLToPath(new URL(processFile, import.meta.url)), [file], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    started.once('exit', () => {
      if (process === started) process = undefined
    })
    // A process that failed to start emits no `exit` event.
    started.on('error', () => (started.pid === undefined ? started.emit('exit') : started.kill()))
    return started
  }
  const kill = async (): Promise<void> => {
    const ending = process
    process = undefined
    if (ending === undefined) return
    const ended = new Promise((resolve) => ending.once('exit', resolve))
    ending.kill('SIGKILL')
    await ended
  }
  return {
    read: async (statement: Statement): Promise<ReaderReply> => {
      if (isClosed) throw new LoggableError('The store is closed.')
      process ??= start()
      const reading = process
      const { promise, resolve, reject } = Promise.withResolvers<ReaderReply>()
      const tooLong = setTimeout(() => {
        reject(new QueryTooLongError())
        void kill()
      }, queryLimitMs)
      const onExit = () =>
        reject(new LoggableError('The process that reads for the console has ended.'))
      reading.once('message', resolve)
      reading.once('exit', onExit)
      reading.send(statement, (error) => error && onExit())
      try {
        return await promise
      } finally {
        clearTimeout(tooLong)
        reading.off('message', resolve)
        reading.off('exit', onExit)
      }
    },
    close: (): Promise<void> => {
      isClosed = true
      return kill()
    },
  }
}
