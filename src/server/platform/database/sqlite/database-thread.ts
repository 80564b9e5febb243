import type { DatabaseSyncOptions } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { LoggableError } from '#domain/loggable-error.ts'

/** In the build, this module and the thread's file are in one folder. */
const threadFile = import.meta.url.endsWith('.ts')
  ? '../../../../start/sqlite-thread.ts'
  : './sqlite-thread.js'

export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

export interface ThreadCall {
  readonly id: number
  /** What the thread should do: run a statement, roll back, close, or run the `DatabaseTask` of this name. */
  readonly verb: string
  readonly argument: unknown
}

/** An error as threads and processes exchange it: a structured clone would lose SQLite's codes, which callers need. */
export interface Fault {
  readonly fault: Readonly<Record<string, string | number | undefined>>
}

export function toFault(error: unknown): Fault {
  const { message, stack, code, errcode } = Object(error)
  return { fault: { message, stack, ...(errcode === undefined ? {} : { code, errcode }) } }
}

export const toError = ({ fault }: Fault): Error => Object.assign(new Error(), fault)

export type ThreadReply = { readonly id: number } & ({ readonly result: unknown } | Fault)

export type DatabaseThread = ReturnType<typeof makeDatabaseThread>

/**
 * Runs one SQLite connection in a thread, so that the event loop serves visitors while SQLite waits for the disk or for
 * another process. The thread starts, and opens the file, at the first call. If the thread ends unexpectedly, the
 * process ends, too, because it cannot store leads any more. No acknowledged lead is lost: the server acknowledges a
 * lead only after the thread has written it to disk.
 * @param onFault called with every SQLite error
 */
export function makeDatabaseThread(
  file: string,
  options: DatabaseSyncOptions,
  onFault: (error: Error) => void = () => undefined,
) {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let worker: Worker | undefined
  let calls = 0
  let isClosed = false
  const settle = (reply: ThreadReply): void => {
    const call = waiting.get(reply.id)
    waiting.delete(reply.id)
    if ('fault' in reply) {
      const error = toError(reply)
      onFault(error)
      call?.reject(error)
    } else call?.resolve(reply.result)
  }
  const end = (code: number): void => {
    if (isClosed) return
    isClosed = true
    const error = new LoggableError(
      `The SQLite thread has ended with ${code}: nothing can be stored.`,
    )
    for (const { reject } of waiting.values()) reject(error)
    throw error
  }
  const start = (): Worker => {
    const workerData = { file, options }
    const started = new Worker(new URL(threadFile, import.meta.url), { name: 'sqlite', workerData })
    started.on('message', settle)
    // The worker has no `error` listener, so an error that the thread does not catch also ends this process.
    started.on('exit', end)
    return started
  }
  /** Runs calls in order, one at a time. Rejects with SQLite's own message, `code` and `errcode`. */
  const call = async <Result>(verb: string, argument?: unknown): Promise<Result> => {
    if (isClosed) throw new LoggableError('The store is closed.')
    const answer = Promise.withResolvers<unknown>()
    const id = calls++
    waiting.set(id, answer)
    worker ??= start()
    worker.postMessage({ id, verb, argument })
    return answer.promise as Promise<Result>
  }
  return {
    call,
    /** Closes the connection after all earlier calls, and ends the thread. */
    close: async (): Promise<void> => {
      const closed = worker && call('close')
      isClosed = true
      await closed?.finally(() => worker?.terminate())
    },
  }
}
