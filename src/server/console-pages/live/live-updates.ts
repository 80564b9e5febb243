import { EventEmitter, once } from 'node:events'
import type { LoopFailureLog } from '#server/platform/observability/failure-log.ts'

/** `same` shows the page that the connection still works. */
export type LiveEvent = 'changed' | 'same' | 'ended'

interface LiveUpdatesOptions {
  /** See latest-changes.ts. */
  readonly readChanges: () => Promise<string>
  readonly failureLog: LoopFailureLog
}

interface Subscriber {
  readonly sessionId: string
  /** Resolves with false after the session or its operator's permission ended. */
  readonly isStillAllowed: () => Promise<boolean>
  /** Aborted when the browser closes the connection. */
  readonly signal: AbortSignal
}

/** However many pages are open, a process reads the changes once in this time; in milliseconds. */
const pollIntervalMs = 1000

/** A browser has six connections to a host without HTTP/2, and its pages need some. */
const maxPerSession = 4

/** Tells open pages that something changed; each page then requests itself again. Without open pages it reads nothing. */
export class LiveUpdates {
  readonly #options: LiveUpdatesOptions
  readonly #reads = new EventEmitter().setMaxListeners(0)
  readonly #stopping = new AbortController()
  readonly #openBySession = new Map<string, number>()
  #isReading = false

  constructor(options: LiveUpdatesOptions) {
    this.#options = options
  }

  /** Open pages. */
  get count(): number {
    return [...this.#openBySession.values()].reduce((sum, open) => sum + open, 0)
  }

  hasRoom(sessionId: string): boolean {
    return (this.#openBySession.get(sessionId) ?? 0) < maxPerSession
  }

  /**
   * An event a second. The first is `changed`: something may have happened since the page was made. It ends when the browser
   * closes the connection, when the process stops, and after `ended`. While the store can't be read it says nothing, so that
   * no page claims to be up to date.
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

  /** Ends all streams, so that a stopping process waits for none. */
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
