import { Lazy } from '../../../memory/lazy.ts'
import type { DatabaseThread } from './database-thread.ts'

/** How many messages with something to write come between two checkpoints: under load some 200 leads. */
const every = 20

/**
 * Copies the log into the file, in a thread of its own and beside the writer. Whoever commits when the log is full does
 * it else, and all who wait for a commit wait for that, too: with 100,000 leads in the file, 44 ms for one in a hundred.
 */
export class Checkpointer {
  readonly #thread: Lazy<DatabaseThread>
  #work: Promise<unknown> | undefined
  #writes = 0

  constructor(open: () => Promise<DatabaseThread>) {
    this.#thread = new Lazy(() => openAsDurable(open))
  }

  /** Says that something was written. */
  wrote(): void {
    this.#writes++
    if (this.#writes < every || this.#work !== undefined) return
    this.#writes = 0
    this.#work = this.#checkpoint().finally(() => {
      this.#work = undefined
    })
  }

  /** Resolves when all that was written before has been copied, as far as that holds up nobody. */
  async copyAll(): Promise<void> {
    await this.#work
    await this.#checkpoint()
  }

  /** Waits for nobody (passive). What it cannot copy, the writer does when the log has become long. */
  async #checkpoint(): Promise<void> {
    try {
      await run(await this.#thread.get(), 'pragma wal_checkpoint(passive)')
    } catch {
      // The next commit meets the same failureLog, and says so.
    }
  }

  async close(): Promise<void> {
    await this.#work
    const thread = await this.#thread.made()?.catch(() => undefined)
    await thread?.close()
  }
}

/** The file is safe before the log is used anew: as for the writer, see open-sqlite.ts. */
async function openAsDurable(open: () => Promise<DatabaseThread>): Promise<DatabaseThread> {
  const thread = await open()
  try {
    await run(thread, 'pragma synchronous = full')
    await run(thread, 'pragma checkpoint_fullfsync = on')
    return thread
  } catch (error) {
    await thread.close()
    throw error
  }
}

const run = (thread: DatabaseThread, sql: string) => thread.call('run', { sql, parameters: [] })
