import type { Socket } from 'node:net'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { type Client, Pool, type PoolConfig } from 'pg'
import { ConnectionLostError } from '../../faults/database-errors.ts'

/**
 * A pool that gives up a connection which does not answer, and with it the others, as they share the network. The
 * timeout of node-postgres (8.23) only rejects the statement: the connection returns to the pool, and its next user waits
 * behind the answer that never comes, or gets it as its own.
 */
export class WatchedPool implements PostgresPool {
  readonly options = {}
  readonly #pool: Pool
  readonly #answerMs: number
  #ended: Promise<void> | undefined
  readonly #open = new Map<Client, 'in use' | 'idle' | 'suspect'>()

  /**
   * @param answerMs how long a connection may be silent, in milliseconds
   * @param setUp run on each new connection
   */
  constructor(config: PoolConfig, answerMs: number, setUp?: string) {
    this.#answerMs = answerMs
    const onConnect = (client: unknown) => setUp && this.#ask(client as Client, setUp)
    const pool = new Pool({ ...config, onConnect })
    this.#pool = pool
    // Without a listener a lost connection ends the process: idle connections notify the pool, busy
    // ones only themselves. The statement that runs into it rejects, and the pool reconnects.
    pool.on('error', ignore)
    pool.on('connect', (client) => client.on('error', ignore))
    pool.on('acquire', (client) => this.#open.set(client, 'in use'))
    pool.on('release', (_, client) => this.#open.set(client, 'idle'))
    pool.on('remove', (client) => this.#open.delete(client))
  }

  /** As Kysely takes it: for several statements on one connection. */
  async connect(): Promise<PostgresPoolClient> {
    const client = await this.#pool.connect()
    const query = (text: string, values: readonly unknown[]) => this.#ask(client, text, values)
    return {
      // Kysely's other form is for cursors, which we do not use.
      query: query as unknown as PostgresPoolClient['query'],
      release: (isBroken) => client.release(isBroken || this.#open.get(client) === 'suspect'),
    }
  }

  end(): Promise<void> {
    this.#ended ??= this.#pool.end()
    return this.#ended
  }

  /** @throws ConnectionLostError where the connection has ended before the answer; the database's own words otherwise */
  async #ask(client: Client, text: string, values: readonly unknown[] = []) {
    const line = lineOf(client)
    const endWatch = watchForSilence(line, this.#answerMs, () => this.#giveUp(client))
    try {
      return await client.query(text, [...values])
    } catch (error) {
      if (!line.destroyed || error instanceof ConnectionLostError) throw error
      throw new ConnectionLostError('The connection to PostgreSQL was lost.', { cause: error })
    } finally {
      endWatch()
    }
  }

  /** Connections in use have their own watch, and are not used again afterwards. */
  #giveUp(silent: Client): void {
    const error = new ConnectionLostError(`PostgreSQL has not answered for ${this.#answerMs} ms.`)
    lineOf(silent).destroy(error)
    for (const [client, state] of this.#open) {
      if (state === 'idle') lineOf(client).destroy(error)
      else this.#open.set(client, 'suspect')
    }
  }
}

const ignore = (): void => undefined

/** TLS's own socket where there is TLS. */
const lineOf = (client: Client): Socket => client.connection.stream as Socket

/** A timer this late shows that the machine or the process was stalled, in milliseconds. */
const standstill = 1000

/**
 * Calls `onSilence` once nothing has come from the other end for so long, in milliseconds. What came while this process
 * itself stood still is read first; and where the whole machine did, the other end was as silent as we were deaf: it has
 * its time once more.
 * @returns what ends the watch
 */
export function watchForSilence(
  line: Pick<Socket, 'bytesRead'>,
  afterMs: number,
  onSilence: () => void,
): () => void {
  let heard = line.bytesRead
  let isExcused = false
  let isOver = false
  let { timer, dueAt } = wait()

  function wait() {
    return { timer: setTimeout(look, afterMs), dueAt: performance.now() + afterMs }
  }
  function look(): void {
    // Once: a process that is always late would otherwise never notice a dead connection.
    const stoodStill = !isExcused && performance.now() - dueAt > standstill
    // The event loop comes to its sockets between a timer and this.
    setImmediate(() => {
      if (isOver) return
      if (line.bytesRead === heard && !stoodStill) return onSilence()
      isExcused = line.bytesRead === heard
      heard = line.bytesRead
      ;({ timer, dueAt } = wait())
    })
  }
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
