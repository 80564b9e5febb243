import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { QueryResult } from 'kysely'
import { LoggableError } from '#domain/loggable-error.ts'
import { QueryTooLongError, queryLimitMs } from '../../faults/database-errors.ts'
import { deserializeError, type SerializedError, type Statement } from './database-thread.ts'

/** In the build, this module's chunk and the reader's entry are in one folder. */
const processFile = import.meta.url.endsWith('.ts')
  ? './bounded-reader-process.ts'
  : './bounded-reader-process.js'

/** Two readers, so that one slow page does not block the others. Each reader takes about 50 MB. */
const readers = 2

export type BoundedReply =
  | { readonly rows: readonly unknown[] }
  | { readonly fault: SerializedError }

/**
 * Runs the console's queries, each for at most {@link queryLimitMs}. Node cannot stop a running SQLite query, nor end a
 * thread that runs one. Each reader is therefore a process that starts on demand and is killed at the limit.
 */
export class BoundedReaders {
  readonly #onFault: (error: Error) => void
  readonly #all: readonly BoundedReader[]
  readonly #idle: BoundedReader[]
  readonly #waiting: ((reader: BoundedReader) => void)[] = []

  /** @param onFault called with every SQLite error */
  constructor(file: string, onFault: (error: Error) => void) {
    this.#onFault = onFault
    this.#all = Array.from({ length: readers }, () => new BoundedReader(file))
    this.#idle = [...this.#all]
  }

  /** @throws QueryTooLongError if the query runs, or waits for its turn, too long */
  async read(statement: Statement): Promise<QueryResult<unknown>> {
    const reader = this.#idle.pop() ?? (await this.#nextIdle())
    try {
      const reply = await reader.read(statement)
      if ('rows' in reply) return { rows: [...reply.rows] }
      const error = deserializeError(reply.fault)
      this.#onFault(error)
      throw error
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#idle.push(reader)
      else next(reader)
    }
  }

  #nextIdle(): Promise<BoundedReader> {
    const { promise, resolve, reject } = Promise.withResolvers<BoundedReader>()
    this.#waiting.push(resolve)
    const tooLong = setTimeout(() => {
      this.#waiting.splice(this.#waiting.indexOf(resolve), 1)
      reject(new QueryTooLongError())
    }, queryLimitMs)
    return promise.finally(() => clearTimeout(tooLong))
  }

  /** Ends the reader processes; running and waiting queries reject. */
  async close(): Promise<void> {
    await Promise.all(this.#all.map((reader) => reader.close()))
  }
}

/** A process that runs one reading query at a time. */
class BoundedReader {
  readonly #file: string
  #process: ChildProcess | undefined
  #isClosed = false

  constructor(file: string) {
    this.#file = file
  }

  async read(statement: Statement): Promise<BoundedReply> {
    if (this.#isClosed) throw new LoggableError('The store is closed.')
    this.#process ??= this.#start()
    const process = this.#process
    const { promise, resolve, reject } = Promise.withResolvers<BoundedReply>()
    const tooLong = setTimeout(() => {
      reject(new QueryTooLongError())
      void this.#kill()
    }, queryLimitMs)
    const onExit = () =>
      reject(new LoggableError('The process that reads for the console has ended.'))
    process.once('message', resolve)
    process.once('exit', onExit)
    process.send(statement, (error) => error && onExit())
    try {
      return await promise
    } finally {
      clearTimeout(tooLong)
      process.off('message', resolve)
      process.off('exit', onExit)
    }
  }

  #start(): ChildProcess {
    const started = fork(fileURLToPath(new URL(processFile, import.meta.url)), [this.#file], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const forget = () => {
      if (this.#process === started) this.#process = undefined
    }
    started.once('exit', forget)
    // A process that failed to start emits no `exit` event.
    started.on('error', () => (started.pid === undefined ? started.emit('exit') : started.kill()))
    return started
  }

  close(): Promise<void> {
    this.#isClosed = true
    return this.#kill()
  }

  async #kill(): Promise<void> {
    const ending = this.#process
    this.#process = undefined
    if (ending === undefined) return
    const ended = new Promise((resolve) => ending.once('exit', resolve))
    ending.kill('SIGKILL')
    await ended
  }
}
