import type { DatabaseSyncOptions } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { LoggableError } from '#domain/loggable-error.ts'

/** In the build, this module's chunk and the thread's entry are in one folder. */
const threadFile = import.meta.url.endsWith('.ts')
  ? '../../../start/sqlite-thread.ts'
  : './sqlite-thread.js'

export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

export interface ThreadCall {
  readonly id: number
  /** `open`, `run` (of a `Statement`), `rollback`, `close`, or the name of a `DatabaseTask`. */
  readonly verb: string
  readonly argument: unknown
}

export type ThreadReply = { readonly id: number } & (
  | { readonly result: unknown }
  | { readonly fault: SerializedError }
)

/** An error as it is sent between threads: a structured clone would lose SQLite's codes, which callers need. */
export interface SerializedError {
  readonly message: string
  readonly stack: string | undefined
  readonly codes: { readonly code?: unknown; readonly errcode?: unknown }
}

export function serializeError(error: unknown): SerializedError {
  if (!(error instanceof Error)) return { message: String(error), stack: undefined, codes: {} }
  const { message, stack } = error
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  return { message, stack, codes: errcode === undefined ? {} : { code, errcode } }
}

export function deserializeError({ message, stack, codes }: SerializedError): Error {
  const error = Object.assign(new Error(message), codes)
  if (stack !== undefined) error.stack = stack
  return error
}

/**
 * Runs one SQLite connection in a thread, so that the event loop serves visitors while SQLite waits for the disk or for
 * another process. A thread that ends unexpectedly ends the process. No lead is lost: the server acknowledges a lead
 * only after the thread has written it to disk. A process that cannot write is of no use to visitors.
 */
export class DatabaseThread {
  readonly #worker: Worker
  readonly #onFault: (error: Error) => void
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  #calls = 0
  #isClosed = false

  /** @param onFault called with every SQLite error */
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
    // Without an `error` listener, an error that the thread did not catch is also uncaught in this process.
    this.#worker.on('exit', (code) => this.#end(code))
  }

  /** Runs calls in order, one at a time. Rejects with SQLite's own message, `code` and `errcode`. */
  call<Result>(verb: string, argument?: unknown): Promise<Result> {
    const waiting = Promise.withResolvers<unknown>()
    if (this.#isClosed) {
      waiting.reject(new LoggableError('The store is closed.'))
    } else {
      const id = this.#calls++
      this.#waiting.set(id, waiting)
      this.#worker.postMessage({ id, verb, argument })
    }
    return waiting.promise as Promise<Result>
  }

  /** Closes the connection after all earlier calls, and ends the thread. */
  async close(): Promise<void> {
    const closed = this.call('close')
    this.#isClosed = true
    await closed.finally(() => this.#worker.terminate())
  }

  #settle(reply: ThreadReply): void {
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if ('fault' in reply) {
      const error = deserializeError(reply.fault)
      this.#onFault(error)
      waiting?.reject(error)
    } else waiting?.resolve(reply.result)
  }

  #end(code: number): void {
    if (this.#isClosed) return
    this.#isClosed = true
    const error = new LoggableError(
      `The SQLite thread has ended with ${code}: nothing can be stored.`,
    )
    for (const { reject } of this.#waiting.values()) reject(error)
    throw error
  }
}

export async function openThread(
  file: string,
  options: DatabaseSyncOptions,
  onFault?: (error: Error) => void,
): Promise<DatabaseThread> {
  const thread = new DatabaseThread(file, options, onFault)
  try {
    await thread.call('open')
    return thread
  } catch (error) {
    await thread.close()
    throw error
  }
}
