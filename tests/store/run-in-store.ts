import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { StoreSettings } from '#server/start/open-store.ts'
import { runStatements } from '#tests/postgres/run-statements.ts'

const thread = new URL('./statements-thread.ts', import.meta.url)

/**
 * Runs statements past all of the product's code, as somebody's hand does, or an accident. In a thread: SQLite waits for
 * a transaction without a turn for anybody else, and a product in this very process would never come to end its own.
 */
export async function runInStore(
  { dataDir, databaseUrl }: StoreSettings,
  statements: string,
): Promise<void> {
  if (databaseUrl !== undefined) return runStatements(databaseUrl, statements)
  const file = join(dataDir, 'leads.sqlite')
  await once(new Worker(thread, { workerData: { file, statements } }), 'exit')
}
