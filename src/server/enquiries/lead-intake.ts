import { LoggableError } from '#domain/loggable-error.ts'
import { makeGroupCommit } from '#server/platform/database/group-commit.ts'
import type { RunTask } from '#server/platform/database/lead-database.ts'
import type { makeStoreReadiness } from '#server/platform/database/readiness.ts'
import { ConnectionLostError, isInvalidRow } from '#server/platform/faults/database-errors.ts'
import type { LeadArrival } from './lead-arrival.ts'
import { type StoreResult, storeArrivals } from './store-arrivals.ts'

/** Too many leads are waiting, so this lead was not stored. The visitor can send the enquiry again. */
export class IntakeFullError extends LoggableError {
  override readonly name = 'IntakeFullError'
}

export type LeadIntake = ReturnType<typeof makeLeadIntake>

/** The maximum number of leads that wait to be stored: about 5 MB, and a second of work on a slow disk. */
const maxWaiting = 2000

/** The maximum number of leads in one transaction: about 300 KB, and a second of work on a slow machine. */
const maxBatch = 200

/**
 * Makes the only entry of leads into the store. Leads that arrive together share a transaction.
 * @param readiness refuses leads once the store is damaged, and learns from each lead whether the store works
 */
export function makeLeadIntake(
  run: RunTask,
  readiness: Pick<ReturnType<typeof makeStoreReadiness>, 'assertUndamaged' | 'stored' | 'refused'>,
) {
  const store = (arrivals: readonly LeadArrival[]) => run(storeArrivals, arrivals)
  const storeTogether = makeGroupCommit<LeadArrival, StoreResult>({
    maxBatch,
    keysOf: ({ idempotencyKey, dedupeKey }) => [
      `idempotency key ${idempotencyKey}`,
      `dedupe key ${dedupeKey}`,
    ],
    isItemFault: isInvalidRow,
    commit: (arrivals) =>
      store(arrivals).catch((error: unknown) => {
        // If the database's reply was lost, storing again is safe, and the visitor need not send the enquiry again.
        if (error instanceof ConnectionLostError) return store(arrivals)
        throw error
      }),
  })
  const underWay = new Set<Promise<StoreResult>>()
  let isClosed = false
  return {
    /** Resolves when the lead is on disk. @throws IntakeFullError; after any other error, the lead may be stored */
    accept: async (arrival: LeadArrival): Promise<StoreResult> => {
      readiness.assertUndamaged()
      if (isClosed) throw new LoggableError('The store is closed.')
      if (underWay.size >= maxWaiting) {
        throw new IntakeFullError(`${maxWaiting} leads are already waiting to be stored.`)
      }
      const stored = storeTogether(arrival)
      underWay.add(stored)
      try {
        const result = await stored
        readiness.stored()
        return result
      } catch (error) {
        readiness.refused(error)
        throw error
      } finally {
        underWay.delete(stored)
      }
    },
    /** Refuses further leads, and resolves when the waiting leads are stored. */
    close: async () => {
      isClosed = true
      await Promise.allSettled(underWay)
    },
  }
}
