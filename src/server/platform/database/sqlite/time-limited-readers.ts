import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { QueryResult } from 'kysely'
import { LoggableError } from '#domain/loggable-error.ts'
import { QueryTooLongError, queryLimitMs } from '../../faults/database-errors.ts'
import { type Fault, type Statement, toError } from './database-thread.ts'

/** In the build, this module and the reader process's file are in one folder. */
const processFile = import.meta.url.endsWith('.ts')
  ? './time-limited-reader-process.ts'
  : './time-limited-reader-process.js'

export type ReaderReply = { readonly rows: readonly unknown[] } | Fault

/**
 * Runs the console's queries, each for at most {@link queryLimitMs}. Each reader is a process, which starts on demand
 * and is killed at the limit, because Node can neither stop a running SQLite query nor end a thread that runs one: even
 * `process.exit` would wait for the query. Two readers, so that one slow query does not block all pages.
 * @param onFault called with every SQLite error
 */
export function makeTimeLimitedReaders(file: string, onFault: (error: Error) => void) {
  const readers = [makeReader(file), makeReader(file)]
  const idle = [...readers]
  const waiting: ((reader: Reader) => void)[] = []
  const waitForIdle = (): Promise<Reader> =>
    new Promise((resolve, reject) => {
      const tooLong = setTimeout(() => {
        waiting.splice(waiting.indexOf(take), 1)
        reject(new QueryTooLongError())
      }, queryLimitMs)
      const take = (reader: Reader) => {
        clearTimeout(tooLong)
        resolve(reader)
      }
      waiting.push(take)
    })
  return {
    /** @throws QueryTooLongError if the query runs, or waits for a reader, too long */
    read: async (statement: Statement): Promise<QueryResult<unknown>> => {
      const reader = idle.pop() ?? (await waitForIdle())
      const reply = await reader.read(statement).finally(() => {
        const next = waiting.shift()
        if (next === undefined) idle.push(reader)
        else next(reader)
      })
      if ('rows' in reply) return { rows: [...reply.rows] }
      const error = toError(reply)
      onFault(error)
      throw error
    },
    /** Ends the reader processes; running and waiting queries reject. */
    close: async (): Promise<void> => {
      await Promise.all(readers.map((reader) => reader.close()))
    },
  }
}

type Reader = ReturnType<typeof makeReader>

/** Makes a reader: a process of about 50 MB that starts on demand and runs one query at a time. */
function makeReader(file: string) {
  let child: ChildProcess | undefined
  let isClosed = false
  const start = (): ChildProcess => {
    const started = fork(fileURLToPath(new URL(processFile, import.meta.url)), [file], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const forget = () => {
      if (child === started) child = undefined
    }
    // A process that failed to start emits `error`, but not `exit`.
    return started.once('exit', forget).on('error', forget)
  }
  const kill = async (): Promise<void> => {
    const ending = child
    child = undefined
    if (ending?.kill('SIGKILL')) await once(ending, 'exit')
  }
  return {
    read: async (statement: Statement): Promise<ReaderReply> => {
      if (isClosed) throw new LoggableError('The store is closed.')
      child ??= start()
      const answered = new AbortController()
      const { signal } = answered
      const ended = async (): Promise<never> => {
        await once(child as ChildProcess, 'exit', { signal })
        throw new LoggableError('The process that reads for the console has ended.')
      }
      const tooLong = async (): Promise<never> => {
        await wait(queryLimitMs, undefined, { signal })
        void kill()
        throw new QueryTooLongError()
      }
      const reply = once(child, 'message', { signal })
      child.send(statement)
      try {
        const [found] = await Promise.race([reply, ended(), tooLong()])
        return found
      } finally {
        answered.abort()
      }
    },
    close: (): Promise<void> => {
      isClosed = true
      return kill()
    },
  }
}
