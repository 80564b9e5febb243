import { MessageChannel, type MessagePort, Worker, type WorkerOptions } from 'node:worker_threads'
import { bundledProgram } from './bundled-program.ts'

/** Threads without a connection. */
const idle: Worker[] = []

/**
 * The part of a `Worker` that a SQLite connection uses, on a thread that the tests' next connection uses again: starting
 * a thread takes 50 ms of processor time, and tests open a thousand connections.
 */
export class PooledWorker {
  readonly #thread = idle.pop() ?? new Worker(bundledProgram('reused-sqlite-thread'))
  readonly #port: MessagePort
  #unanswered = 0

  constructor(_program: URL, { workerData }: WorkerOptions) {
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    this.#thread.ref()
    this.#thread.postMessage({ workerData, parentPort: port2 }, [port2])
  }

  on(event: 'message' | 'exit', listener: (value: unknown) => void): void {
    if (event === 'exit') this.#thread.on('exit', listener)
    else {
      this.#port.on('message', (reply: unknown) => {
        this.#unanswered--
        listener(reply)
      })
    }
  }

  postMessage(call: unknown): void {
    this.#unanswered++
    this.#port.postMessage(call)
  }

  async terminate(): Promise<void> {
    this.#port.close()
    this.#thread.removeAllListeners('exit')
    if (this.#unanswered > 0) {
      await this.#thread.terminate()
    } else {
      // An idle thread must not keep this process alive.
      this.#thread.unref()
      idle.push(this.#thread)
    }
  }
}
