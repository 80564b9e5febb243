import type { Socket } from 'node:net'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { type Client, Pool, type PoolConfig } from 'pg'
import { ConnectionLostError } from '../../faults/database-errors.ts'
import { retryConflicts } from '../retry-conflicts.ts'

/**
 * Makes a pool that closes a connection that doesn't answer, and all idle connections, because they share the network.
 * The timeout of node-postgres (8.23) would only reject the statement and return the connection to the pool, and the
 * next statement would wait for the missing answer or receive it. If PostgreSQL rolls a statement back because of
 * another transaction, the pool retries the statement, unless the statement is part of a transaction.
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
  /** Closes a silent connection and all idle ones. The statement on a busy connection watches that connection. */
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
  // Without listeners, a lost connection would end the process: idle connections report errors to the pool, busy
  // connections only to their own listeners. The running statement rejects by itself, and the pool reconnects.
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
        // The cast hides Kysely's overload for cursors, which this pool does not support.
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
 * Calls `onSilence` once a socket has received no byte for `afterMs` milliseconds. After a stall of the process, the
 * watch first reads the bytes that arrived during the stall.
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
