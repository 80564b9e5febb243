import type { KyselyPlugin } from 'kysely'
import type { LeadDatabase, RunTask } from '#server/platform/database/lead-database.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'

/** Makes the first statement that names a table fail as a conflict with another transaction. Tasks are then repeated. */
export function conflictOnce(database: LeadDatabase, table: string): LeadDatabase {
  let hasFailed = false
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (hasFailed || !JSON.stringify(node).includes(`"${table}"`)) return node
      hasFailed = true
      throw Object.assign(new Error('could not serialize access'), { code: '40001' })
    },
    transformResult: async ({ result }) => result,
  }
  const db = database.db.withPlugin(plugin)
  const run: RunTask = (task, argument) => retryConflicts(() => task.run(db, argument))
  return { ...database, db, run }
}
