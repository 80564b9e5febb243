import { writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { CompiledQuery, Kysely } from 'kysely'
import { claimDue } from '#server/delivery/store/claim-due.ts'
import { recordAttempts } from '#server/delivery/store/record-attempts.ts'
import type { LeadArrival } from '#server/enquiries/accept-enquiry.ts'
import { arrivalGroups } from '#server/enquiries/store/arrival-groups.ts'
import { writeJobStep } from '#server/jobs/store/write-job-step.ts'
import { eraseOldLeads } from '#server/leads/store/erasure/erase-old-leads.ts'
import { sanitizeError } from '../../../faults/sanitize-error.ts'
import type { StoreTables } from '../../tables/store-tables.ts'
import { NodeSqliteDialect } from '../sqlite-dialect.ts'
import { ArrivalWriter } from './arrival-writer.ts'
import { BetweenTransactions } from './between-transactions.ts'
import {
  type ArrivalReply,
  faultOfError,
  type ThreadCall,
  type ThreadReply,
  type ThreadVerbs,
} from './thread-calls.ts'

// One connection in a thread of its own: see database-thread.ts. Whatever is not foreseen here ends the thread, and
// the process with it; it is said here, as on a busy machine the thread's end can overtake its error on the way there.
process.on('uncaughtExceptionMonitor', (error) =>
  writeSync(
    2,
    `${JSON.stringify({ err: sanitizeError(error), msg: 'the SQLite thread has ended' })}\n`,
  ),
)
const { file, options } = workerData
/**
 * SQLite's own 2 MiB hold fewer pages than one list at a million leads walks over: with these it took 1.1 ms instead of 5.4.
 */
const readCacheKiB = 16 * 1024
const database = new DatabaseSync(file, { ...options, open: false })
const betweenTransactions = new BetweenTransactions(() => database.isOpen && database.isTransaction)
let db: Kysely<StoreTables>
let writer: ArrivalWriter
const arrivals = arrivalGroups(
  (batch) => betweenTransactions.run(() => writer.storeArrivals(batch)),
  'at once',
)

const verbs: ThreadVerbs = {
  open: async () => {
    database.open()
    if (options.readOnly) database.exec(`pragma cache_size = -${readCacheKiB}`)
    db = new Kysely({ dialect: new NodeSqliteDialect(database) })
    writer = new ArrivalWriter(database, db)
  },
  run: ({ sql, parameters }) => db.executeQuery(CompiledQuery.raw(sql, [...parameters])),
  rollback: async () => {
    if (database.isTransaction) database.exec('rollback')
  },
  storeArrivals: (sent) =>
    Promise.all(
      JSON.parse(sent).map(
        (arrival: LeadArrival): Promise<ArrivalReply> =>
          arrivals.add(arrival).then(
            (accepted) => ({ accepted }),
            (error: unknown) => ({ fault: faultOfError(error) }),
          ),
      ),
    ),
  claimDue: async (claim) => JSON.stringify(await claimDue(db, claim)),
  recordAttempts: (attempts) => recordAttempts(db, JSON.parse(attempts), 'file'),
  eraseOldLeads: (order) => eraseOldLeads(db, order, 'file'),
  writeJobStep: (step) => writeJobStep(db, step, 'file'),
  truncateLog: async () => {
    // It would keep all writers out for as long as it waits for a reader.
    database.exec('pragma busy_timeout = 0')
    try {
      return database.prepare('pragma wal_checkpoint(truncate)').get()?.busy === 0
    } finally {
      database.exec(`pragma busy_timeout = ${Number(options.timeout)}`)
    }
  },
  // Where it could not be opened, that has been told.
  close: async () => {
    if (database.isOpen) database.close()
  },
}

parentPort?.on('message', async ({ id, verb, argument }: ThreadCall) => {
  const run = verbs[verb] as (argument: unknown) => Promise<unknown>
  const reply: ThreadReply = await run(argument).then(
    (result) => ({ id, result }),
    (error: unknown) => ({ id, fault: faultOfError(error) }),
  )
  betweenTransactions.look()
  parentPort?.postMessage(reply)
})
