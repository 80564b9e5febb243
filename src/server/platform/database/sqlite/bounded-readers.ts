import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { QueryResult } from 'kysely'
import { LoggableError } from '#domain/loggable-error.ts'
import { QueryTooLongError, queryLimitMs } from '../../faults/database-errors.ts'
import { errorOfFault, type Fault, type Statement } from './database-thread.ts'

/** In the build, this module's chunk and the reader's entry are in one folder. */
const processFile = import.meta.url.endsWith('.ts')
  ? './bounded-reader-process.ts'
  : './bounded-reader-process.js'

/** Two readers, so that one slow page does not block the others. Each takes about 50 MB. */
const readers = 2

export type BoundedReply = { readonly rows: readonly unknown[] } | { readonly fault: Fault }

/**
 * Runs the console's queries, each for at most {@link queryLimitMs}. Node cannot stop a running SQLite query, nor end a
 * thread that runs one. So each reader is a process that starts when it is needed and is killed at the limit.
 */
export class BoundedReaders {
  readonly #onFault: (error: Error) => void
  readonly #all: readonly BoundedReader[]
  readonly #idle: BoundedReader[]
  readonly #waiting = new Set<PromiseWithResolvers<BoundedReader>>()
  #isClosed = false

  /** @param onFault called with every SQLite error */
  constructor(file: string, onFault: (error: Error) => void) {
    this.#onFault = onFault
    this.#all = Array.from({ length: readers }, () => new BoundedReader(file))
    this.#idle = [...this.#all]
  }

  /** @throws QueryTooLongError if the query runs, or waits for its turn, too long */
  async read(statement: Statement): Promise<QueryResult<unknown>> {
    if (this.#isClosed) throw new LoggableError('The store is closed.')
    const reader = await this.#take()
    try {
      const reply = await reader.read(statement)
      if ('rows' in reply) return { rows: [...reply.rows] }
      const error = errorOfFault(reply.fault)
      this.#onFault(error)
      throw error
    } finally {
      this.#giveBack(reader)
    }
  }

  async #take(): Promise<BoundedReader> {
    const idle = this.#idle.pop()
    if (idle !== undefined) return idle
    const turn = Promise.withResolvers<BoundedReader>()
    this.#waiting.add(turn)
    const tooLong = setTimeout(() => {
      this.#waiting.delete(turn)
      turn.reject(new QueryTooLongError())
    }, queryLimitMs)
    return turn.promise.finally(() => clearTimeout(tooLong))
  }

  #giveBack(reader: BoundedReader): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#idle.push(reader)
      return
    }
    this.#waiting.delete(next)
    next.resolve(reader)
  }

  /** Ends the reader processes; running queries reject. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { reject } of this.#waiting) reject(new LoggableError('The store is closed.'))
    this.#waiting.clear()
    await Promise.all(this.#all.map((reader) => reader.close()))
  }
}

/** A process that runs one reading query at a time. */
class BoundedReader {
  readonly #file: string
  #process: ChildProcess | undefined

  constructor(file: string) {
    this.#file = file
  }

  async read(statement: Statement): Promise<BoundedReply> {
    this.#process ??= this.#start()
    const process = this.#process
    const { promise, resolve, reject } = Promise.withResolvers<BoundedReply>()
    const tooLong = setTimeout(() => {
      reject(new QueryTooLongError())
      void this.close()
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
    // A process that could not be started never exits.
    started.on('error', () => (started.pid === undefined ? started.emit('exit') : started.kill()))
    return started
  }

  async close(): Promise<void> {
    const ending = this.#process
    this.#process = undefined
    if (ending === undefined) return
    const ended = new Promise((resolve) => ending.once('exit', resolve))
    ending.kill('SIGKILL')
    await ended
  }
}
