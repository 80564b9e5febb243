import { EventEmitter, once } from 'node:events'
import type { LoopFailureLog } from '#server/platform/observability/failure-log.ts'

/** `same` shows the page that the connection still works. */
export type LiveEvent = 'changed' | 'same' | 'ended'

interface LiveUpdatesOptions {
  /** Reads the latest changes: see latest-changes.ts. */
  readonly readChanges: () => Promise<string>
  readonly failureLog: LoopFailureLog
}

interface Subscriber {
  readonly sessionId: string
  /** Resolves with false after the session has ended or its operator has lost the permission. */
  readonly isStillAllowed: () => Promise<boolean>
  /** Aborts when the browser closes the connection. */
  readonly signal: AbortSignal
}

/** A process reads the changes at most once in this many milliseconds, however many pages are open. */
const pollIntervalMs = 1000

/** Without HTTP/2 a browser has six connections to a host, and its pages need some of these. */
const maxPerSession = 4

/** Notifies open pages of changes; each page then requests itself again. Without open pages it reads nothing from the store. */
export class LiveUpdates {
  readonly #options: LiveUpdatesOptions
  readonly #reads = new EventEmitter().setMaxListeners(0)
  readonly #stopping = new AbortController()
  readonly #openBySession = new Map<string, number>()
  #isReading = false

  constructor(options: LiveUpdatesOptions) {
    this.#options = options
  }

  get count(): number {
    return [...this.#openBySession.values()].reduce((sum, open) => sum + open, 0)
  }

  hasRoom(sessionId: string): boolean {
    return (this.#openBySession.get(sessionId) ?? 0) < maxPerSession
  }

  /**
   * Yields an event every second. The first event is `changed`, because something may have changed since the page was
   * rendered. The stream ends when the browser closes the connection, when the process stops, and after `ended`. While
   * the store is unreachable it yields nothing, so that no page claims to be up to date.
   */
  async *follow({ sessionId, isStillAllowed, signal }: Subscriber): AsyncGenerator<LiveEvent> {
    const either = AbortSignal.any([signal, this.#stopping.signal])
    this.#count(sessionId, 1)
    let known: unknown
    try {
      while (!either.aborted) {
        void this.#read()
        const [changes] = await once(this.#reads, 'read', { signal: either })
        if (!(await isStillAllowed())) {
          yield 'ended'
          return
        }
        yield changes === known ? 'same' : 'changed'
        known = changes
      }
    } catch (error) {
      if (!either.aborted) throw error
    } finally {
      this.#count(sessionId, -1)
    }
  }

  /** Ends all streams, so that the process can stop. */
  stop(): void {
    this.#stopping.abort()
  }

  async #read(): Promise<void> {
    if (this.#isReading) return
    this.#isReading = true
    while (this.#openBySession.size > 0 && !this.#stopping.signal.aborted) {
      try {
        this.#reads.emit('read', await this.#options.readChanges())
        this.#options.failureLog.succeeded()
      } catch (error) {
        this.#options.failureLog.failed(error)
      }
      await new Promise((resolve) => setTimeout(resolve, pollIntervalMs).unref())
    }
    this.#isReading = false
  }

  #count(sessionId: string, change: 1 | -1): void {
    const open = (this.#openBySession.get(sessionId) ?? 0) + change
    if (open > 0) this.#openBySession.set(sessionId, open)
    else this.#openBySession.delete(sessionId)
  }
}
