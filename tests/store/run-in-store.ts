import { once } from 'node:events'
import { join } from 'node:path'
import { MessageChannel, Worker } from 'node:worker_threads'
import type { StoreSettings } from '#server/store/open-store.ts'
import { runStatements } from '#tests/postgres/run-statements.ts'
import type { Statements } from './statements-thread.ts'

/** Starts at the first use and stays, because a thread takes fifty times as long to start as most statements to run. */
let thread: Worker | undefined

/**
 * Runs statements without the product's code, as a person or an accident might. They run in a thread: SQLite blocks
 * while it waits for a transaction, which a product in this process could then never end.
 */
export async function runInStore(
  { dataDir, databaseUrl }: StoreSettings,
  statements: string,
): Promise<void> {
  if (databaseUrl !== undefined) return runStatements(databaseUrl, statements)
  thread ??= startThread()
  const { port1, port2 } = new MessageChannel()
  const file = join(dataDir, 'leads.sqlite')
  thread.postMessage({ file, statements, reply: port2 } satisfies Statements, [port2])
  const [error] = await once(port1, 'message')
  port1.close()
  if (error) throw error
}

function startThread(): Worker {
  const started = new Worker(new URL('./statements-thread.ts', import.meta.url))
  // It must not keep this process alive.
  started.unref()
  return started
}
