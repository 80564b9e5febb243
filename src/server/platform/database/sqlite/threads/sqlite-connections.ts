import type { QueryResult } from 'kysely'
import type { RecordedAttempt } from '#server/delivery/delivery-queue.ts'
import type { LeaseClaim } from '#server/delivery/store/claim-deliveries.ts'
import type { Claimed } from '#server/delivery/store/claim-due.ts'
import type { AcceptedLead, LeadArrival } from '#server/enquiries/accept-enquiry.ts'
import type { Acted, JobStep } from '#server/jobs/job-store.ts'
import type { EraseOrder } from '#server/leads/store/erasure/erase-old-leads.ts'
import { Lazy } from '../../../memory/lazy.ts'
import { ArrivalSender } from './arrival-sender.ts'
import { BoundedReaders } from './bounded-readers.ts'
import { Checkpointer } from './checkpointer.ts'
import { DatabaseThread } from './database-thread.ts'
import { Mutex } from './mutex.ts'
import { errorOfFault, type Statement } from './thread-calls.ts'

type OnFault = (error: Error) => void

/** How long SQLite waits for another process's transaction, in milliseconds; then we try again. */
const busyTimeoutMs = 1000

/**
 * One connection that writes and one that only reads, each in its thread: in WAL mode a long list or count does not
 * hold up an enquiry. The reader is opened at the first read.
 */
export class SqliteConnections {
  readonly #writer: DatabaseThread
  readonly #mutex = new Mutex()
  readonly #arrivals: ArrivalSender
  readonly #checkpointer: Checkpointer
  readonly #reader: Lazy<DatabaseThread>
  readonly #boundedReaders: BoundedReaders

  private constructor(file: string, writer: DatabaseThread, onFault: OnFault) {
    this.#writer = writer
    this.#reader = new Lazy(() => openThread(file, { readOnly: true }, onFault))
    this.#boundedReaders = new BoundedReaders(file, onFault)
    this.#checkpointer = new Checkpointer(() => openThread(file, {}, onFault))
    this.#arrivals = new ArrivalSender(async (arrivals) => {
      const replies = await writer.call('storeArrivals', arrivals)
      this.#checkpointer.wrote()
      for (const reply of replies) if ('fault' in reply) onFault(errorOfFault(reply.fault))
      return replies
    })
  }

  /** @param onFault hears of whatever SQLite has not done, on any of the connections */
  static async open(file: string, onFault: OnFault = () => undefined): Promise<SqliteConnections> {
    return new SqliteConnections(file, await openThread(file, {}, onFault), onFault)
  }

  async read(statement: Statement): Promise<QueryResult<unknown>> {
    return (await this.#reader.get()).call('run', statement)
  }

  /**
   * The same connections, but what is read outside of a transaction is read for a limited time, and neither visitors,
   * deliveries nor monitors wait for it: see bounded-readers.ts.
   */
  boundedly() {
    return {
      read: (statement: Statement) => this.#boundedReaders.read(statement),
      write: (statement: Statement) => this.write(statement),
      begin: () => this.begin(),
      runInTransaction: (statement: Statement) => this.runInTransaction(statement),
      commit: () => this.commit(),
      rollback: () => this.rollback(),
      close: async () => undefined,
    }
  }

  /** A statement, and so a transaction, of its own. */
  write(statement: Statement): Promise<QueryResult<unknown>> {
    return this.#inTurn(() => this.#writer.call('run', statement))
  }

  /** Visitors wait for it, so it takes no turn: the thread stores it as soon as no transaction is open. */
  storeArrival(arrival: LeadArrival): Promise<AcceptedLead> {
    return this.#arrivals.send(arrival)
  }

  async claimDue(claim: LeaseClaim): Promise<Claimed> {
    return JSON.parse(await this.#inTurn(() => this.#writer.call('claimDue', claim)))
  }

  recordAttempts(attempts: readonly RecordedAttempt[]): Promise<readonly boolean[]> {
    const json = JSON.stringify(attempts)
    return this.#inTurn(() => this.#writer.call('recordAttempts', json))
  }

  eraseOldLeads(order: EraseOrder): Promise<number> {
    return this.#inTurn(() => this.#writer.call('eraseOldLeads', order))
  }

  writeJobStep(step: JobStep): Promise<Acted | undefined> {
    return this.#inTurn(() => this.#writer.call('writeJobStep', step))
  }

  /** @returns whether it could: another connection may be in the way */
  async truncateLog(): Promise<boolean> {
    await this.#checkpointer.copyAll()
    return this.#inTurn(() => this.#writer.call('truncateLog'))
  }

  async #inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    await this.#mutex.acquire()
    return run().finally(() => this.#endTurn())
  }

  #endTurn(): void {
    this.#checkpointer.wrote()
    this.#mutex.release()
  }

  /**
   * A plain `begin` takes the write lock at its first write, and fails at once where another process has written since
   * its first read, busy_timeout or not (SQLITE_BUSY_SNAPSHOT). `begin immediate` waits instead.
   */
  async begin(): Promise<void> {
    await this.#mutex.acquire()
    try {
      await this.runInTransaction({ sql: 'begin immediate', parameters: [] })
    } catch (error) {
      this.#mutex.release()
      throw error
    }
  }

  runInTransaction(statement: Statement): Promise<QueryResult<unknown>> {
    return this.#writer.call('run', statement)
  }

  /** Where it rejects, the transaction is still to be rolled back. */
  async commit(): Promise<void> {
    await this.runInTransaction({ sql: 'commit', parameters: [] })
    this.#endTurn()
  }

  rollback(): Promise<void> {
    return this.#writer.call('rollback').finally(() => this.#mutex.release())
  }

  /** The writer comes last: with the last connection SQLite removes the log beside the file. */
  async close(): Promise<void> {
    await this.#boundedReaders.close()
    const reader = await this.#reader.made()?.catch(() => undefined)
    await reader?.close()
    await this.#checkpointer.close()
    await this.#writer.close()
  }
}

async function openThread(
  file: string,
  options: { readOnly?: true },
  onFault: OnFault,
): Promise<DatabaseThread> {
  const thread = new DatabaseThread(file, { ...options, timeout: busyTimeoutMs }, onFault)
  try {
    await thread.call('open')
    return thread
  } catch (error) {
    await thread.close()
    throw error
  }
}
