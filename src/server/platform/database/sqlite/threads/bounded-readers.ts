import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { QueryResult } from 'kysely'
import { OwnError } from '#domain/own-error.ts'
import { QueryTooLongError, queryLimitMs } from '../../faults/query-too-long-error.ts'
import { type BoundedReply, errorOfFault, type Statement } from './thread-calls.ts'

/** Built, both lie in one folder, whatever chunk this module has come into. */
const processFile = import.meta.url.endsWith('.ts')
  ? './bounded-reader-process.ts'
  : './bounded-reader-process.js'

/** Two, so that one slow page leaves a reader to the other pages; each takes about 50 MB. */
const mostReaders = 2

interface Asked extends PromiseWithResolvers<QueryResult<unknown>> {
  readonly statement: Statement
  /** Gives it up where no reader becomes free in time. */
  readonly waiting: NodeJS.Timeout
}

/**
 * Runs what the console asks for, each statement for {@link queryLimitMs} at most. SQLite in Node has no way to stop a
 * running query, and a thread in one cannot be ended either, so each reader is a process that is killed at the limit; the
 * next query starts another one. Readers start when they are needed.
 */
export class BoundedReaders {
  readonly #file: string
  readonly #onFault: (error: Error) => void
  readonly #readers = new Set<ChildProcess>()
  readonly #idle: ChildProcess[] = []
  readonly #waiting = new Set<Asked>()
  #isClosed = false

  /** @param onFault hears of every query that SQLite has not done */
  constructor(file: string, onFault: (error: Error) => void) {
    this.#file = file
    this.#onFault = onFault
  }

  /** @throws QueryTooLongError where it takes too long, or waits too long for its turn */
  read(statement: Statement): Promise<QueryResult<unknown>> {
    if (this.#isClosed) return Promise.reject(new OwnError('The store is closed.'))
    const result = Promise.withResolvers<QueryResult<unknown>>()
    const waiting = setTimeout(() => {
      this.#waiting.delete(asked)
      result.reject(new QueryTooLongError())
    }, queryLimitMs)
    const asked: Asked = { ...result, statement, waiting }
    this.#waiting.add(asked)
    this.#runNext()
    return result.promise
  }

  #runNext(): void {
    for (const asked of this.#waiting) {
      const reader = this.#idle.pop() ?? this.#start()
      if (reader === undefined) return
      this.#waiting.delete(asked)
      clearTimeout(asked.waiting)
      this.#run(reader, asked)
    }
  }

  #start(): ChildProcess | undefined {
    if (this.#readers.size === mostReaders) return undefined
    const reader = fork(fileURLToPath(new URL(processFile, import.meta.url)), [this.#file], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#readers.add(reader)
    // A process that could not be started never exits.
    reader.on('error', () =>
      reader.pid === undefined ? reader.emit('exit') : reader.kill('SIGKILL'),
    )
    reader.once('exit', () => {
      this.#readers.delete(reader)
      const place = this.#idle.indexOf(reader)
      if (place !== -1) this.#idle.splice(place, 1)
      this.#runNext()
    })
    return reader
  }

  #run(reader: ChildProcess, { statement, resolve, reject }: Asked): void {
    const tooLong = setTimeout(() => {
      reject(new QueryTooLongError())
      reader.kill('SIGKILL')
    }, queryLimitMs)
    const ended = () => {
      clearTimeout(tooLong)
      reject(new OwnError('The process that reads for the console has ended.'))
    }
    reader.once('exit', ended)
    reader.once('message', (reply: BoundedReply) => {
      clearTimeout(tooLong)
      reader.off('exit', ended)
      if ('fault' in reply) {
        const error = errorOfFault(reply.fault)
        this.#onFault(error)
        reject(error)
      } else resolve({ rows: [...reply.rows] })
      if (reader.killed) return
      this.#idle.push(reader)
      this.#runNext()
    })
    reader.send(statement)
  }

  /** Ends the readers; what they were asked rejects. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { waiting, reject } of this.#waiting) {
      clearTimeout(waiting)
      reject(new OwnError('The store is closed.'))
    }
    this.#waiting.clear()
    await Promise.all([...this.#readers].map(end))
  }
}

const end = (reader: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    reader.once('exit', () => resolve())
    reader.kill('SIGKILL')
  })
