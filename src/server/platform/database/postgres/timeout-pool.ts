import type { Socket } from 'node:net'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { type Client, Pool, type PoolConfig } from 'pg'
import { ConnectionLostError } from '../../faults/database-errors.ts'
import { retryConflicts } from '../retry-conflicts.ts'

/**
 * A pool that closes a connection that does not answer, and all idle connections with it, because they share the
 * network. The timeout of node-postgres (8.23) only rejects the statement and returns the connection to the pool: the
 * next user would wait for the missing answer, or receive it. The pool retries statements outside of a transaction that
 * PostgreSQL rolled back because of another transaction.
 * @param answerMs how long a connection may stay silent during a statement, in milliseconds
 * @param setUp SQL to run on each new connection
 */
export function makeTimeoutPool(
  config: PoolConfig,
  answerMs: number,
  setUp?: string,
): PostgresPool {
  const idle = new Set<Client>()
  let ended: Promise<void> | undefined
  /**
   * Closes a connection that PostgreSQL no longer answers on, and all idle connections. Statements watch the connections
   * that they use.
   */
  const giveUp = (silent: Client): void => {
    const error = new ConnectionLostError(`PostgreSQL has not answered for ${answerMs} ms.`)
    for (const client of [silent, ...idle]) findSocket(client).destroy(error)
  }
  /** @throws ConnectionLostError if the connection ended before the answer; otherwise the database's own error */
  const ask = async (client: Client, text: string, values: readonly unknown[] = []) => {
    const line = findSocket(client)
    const endWatch = watchForSilence(line, answerMs, () => giveUp(client))
    try {
      return await client.query(text, [...values])
    } catch (error) {
      if (!line.destroyed || error instanceof ConnectionLostError) throw error
      throw new ConnectionLostError('The connection to PostgreSQL was lost.', { cause: error })
    } finally {
      endWatch()
    }
  }
  const onConnect = (client: unknown) => setUp && ask(client as Client, setUp)
  const pool = new Pool({ ...config, onConnect })
  // Without a listener, a lost connection would end the process. Idle connections report errors to the pool, busy
  // ones only to their own listeners. The running statement rejects, and the pool reconnects.
  pool.on('error', noop)
  pool.on('connect', (client) => client.on('error', noop))
  pool.on('acquire', (client) => idle.delete(client))
  pool.on('release', (_, client) => idle.add(client))
  pool.on('remove', (client) => idle.delete(client))
  return {
    options: {},
    connect: async (): Promise<PostgresPoolClient> => {
      const client = await pool.connect()
      let isInTransaction = false
      const query = (text: string, values: readonly unknown[]) => {
        isInTransaction ||= /^(begin|start transaction)\b/.test(text)
        const run = () => ask(client, text, values)
        return isInTransaction ? run() : retryConflicts(run)
      }
      return {
        // Kysely's other overload is for cursors, which this pool does not support.
        query: query as unknown as PostgresPoolClient['query'],
        release: (isBroken) => client.release(isBroken),
      }
    },
    end: () => {
      ended ??= pool.end()
      return ended
    },
  }
}

const noop = (): void => undefined

const findSocket = (client: Client): Socket => client.connection.stream as Socket

/**
 * Calls `onSilence` once no byte has arrived for a given time, in milliseconds. After a stall of this process, bytes
 * that arrived meanwhile are read first.
 * @returns a function that ends the watch
 */
export function watchForSilence(
  line: Pick<Socket, 'bytesRead'>,
  afterMs: number,
  onSilence: () => void,
): () => void {
  let bytesSeen = line.bytesRead
  let isOver = false
  let timer = setTimeout(check, afterMs)

  function check(): void {
    // The event loop reads its sockets before it runs this callback.
    setImmediate(() => {
      if (isOver) return
      if (line.bytesRead === bytesSeen) return onSilence()
      bytesSeen = line.bytesRead
      timer = setTimeout(check, afterMs)
    })
  }
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
