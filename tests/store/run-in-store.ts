import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { StoreSettings } from '#server/store/open-store.ts'
import { runStatements } from '#tests/postgres/run-statements.ts'

const thread = new URL('./statements-thread.ts', import.meta.url)

/**
 * Runs statements without the product's code, as a person or an accident might. They run in a thread: SQLite blocks
 * while it waits for a transaction, which a product in this process could then never end.
 */
export async function runInStore(
  { dataDir, databaseUrl }: StoreSettings,
  statements: string,
): Promise<void> {
  if (databaseUrl !== undefined) return runStatements(databaseUrl, statements)
  const file = join(dataDir, 'leads.sqlite')
  await once(new Worker(thread, { workerData: { file, statements } }), 'exit')
}
