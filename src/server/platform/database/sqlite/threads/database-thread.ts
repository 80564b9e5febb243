import type { DatabaseSyncOptions } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { OwnError } from '#domain/own-error.ts'
import { errorOfFault, type ThreadReply, type ThreadVerbs } from './thread-calls.ts'

/** Built, both lie in one folder, whatever chunk this module has come into. */
const threadFile = import.meta.url.endsWith('.ts') ? './sqlite-thread.ts' : './sqlite-thread.js'

/**
 * One SQLite connection in a thread of its own. SQLite waits for the disk, and for other processes, in the thread that
 * calls it: in ours no visitor would be answered meanwhile (on a disk that takes 10 ms more for each fsync, the event
 * loop stood still for 40 ms).
 *
 * A thread that ends before it was closed ends the process: what it had not answered is nowhere acknowledged, what it
 * had is on disk, and a process that cannot write is of no use to anybody.
 */
export class DatabaseThread {
  readonly #worker: Worker
  readonly #onFault: (error: Error) => void
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  #calls = 0
  #isClosed = false

  /** @param onFault hears of every call that SQLite has not done */
  constructor(
    file: string,
    options: DatabaseSyncOptions,
    onFault: (error: Error) => void = () => undefined,
  ) {
    this.#onFault = onFault
    this.#worker = new Worker(new URL(threadFile, import.meta.url), {
      name: 'sqlite',
      workerData: { file, options },
    })
    this.#worker.on('message', (reply: ThreadReply) => this.#settle(reply))
    // It has no listener for `error`, so that an error that the thread did not catch is uncaught here, too.
    this.#worker.on('exit', (code) => this.#end(code))
  }

  /** Calls are run one after the other, in their order. Rejects with SQLite's own message, `code` and `errcode`. */
  call<Verb extends keyof ThreadVerbs>(
    verb: Verb,
    ...[argument]: Parameters<ThreadVerbs[Verb]>
  ): ReturnType<ThreadVerbs[Verb]> {
    const waiting = Promise.withResolvers<unknown>()
    if (this.#isClosed) {
      waiting.reject(new OwnError('The store is closed.'))
    } else {
      const id = this.#calls++
      this.#waiting.set(id, waiting)
      this.#worker.postMessage({ id, verb, argument })
    }
    return waiting.promise as ReturnType<ThreadVerbs[Verb]>
  }

  /** Closes the connection, after what was called before, and ends the thread. */
  async close(): Promise<void> {
    const closed = this.call('close')
    this.#isClosed = true
    await closed.finally(() => this.#worker.terminate())
  }

  #settle(reply: ThreadReply): void {
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if ('fault' in reply) {
      const error = errorOfFault(reply.fault)
      this.#onFault(error)
      waiting?.reject(error)
    } else waiting?.resolve(reply.result)
  }

  #end(code: number): void {
    if (this.#isClosed) return
    this.#isClosed = true
    const error = new OwnError(`The SQLite thread has ended with ${code}: nothing can be stored.`)
    for (const { reject } of this.#waiting.values()) reject(error)
    throw error
  }
}
