import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { CompiledQuery, Kysely } from 'kysely'
import { claimDue } from '../deliveries/claim-due.ts'
import { recordAttempts } from '../deliveries/record-attempts.ts'
import { storeArrivals } from '../leads/store-arrivals.ts'
import type { StoreTables } from '../store-tables.ts'
import { NodeSqliteDialect } from './sqlite-dialect.ts'
import {
  faultOfError,
  type ThreadCall,
  type ThreadReply,
  type ThreadVerbs,
} from './thread-calls.ts'

// One connection in a thread of its own: see database-thread.ts. Whatever is not foreseen here ends the thread, and
// the process with it.
const { file, options } = workerData
let database: DatabaseSync | undefined
let db: Kysely<StoreTables>

const verbs: ThreadVerbs = {
  open: async () => {
    const opened = new DatabaseSync(file, options)
    database = opened
    db = new Kysely({ dialect: new NodeSqliteDialect(opened) })
  },
  run: ({ sql, parameters }) => db.executeQuery(CompiledQuery.raw(sql, [...parameters])),
  rollback: async () => {
    if (database?.isTransaction) database.exec('rollback')
  },
  storeArrivals: (arrivals) => storeArrivals(db, JSON.parse(arrivals)),
  claimDue: async (claim) => JSON.stringify(await claimDue(db, claim)),
  recordAttempts: (attempts) => recordAttempts(db, JSON.parse(attempts), 'file'),
  close: async () => database?.close(),
}

parentPort?.on('message', async ({ id, verb, argument }: ThreadCall) => {
  const run = verbs[verb] as (argument: unknown) => Promise<unknown>
  const reply: ThreadReply = await run(argument).then(
    (result) => ({ id, result }),
    (error: unknown) => ({ id, fault: faultOfError(error) }),
  )
  parentPort?.postMessage(reply)
})
