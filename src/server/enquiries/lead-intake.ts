import { LoggableError } from '#domain/loggable-error.ts'
import { GroupCommit } from '#server/platform/database/group-commit.ts'
import type { RunWork } from '#server/platform/database/lead-database.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import { ConnectionLostError, isBadRow } from '#server/platform/faults/database-errors.ts'
import { type AcceptedLead, type LeadArrival, storeArrivals } from './store-arrivals.ts'

/** Too many arrivals wait, so this arrival was not stored. The visitor can send it again a second later. */
export class IntakeFullError extends LoggableError {
  override readonly name = 'IntakeFullError'
}

export type LeadIntake = ReturnType<typeof makeLeadIntake>

/** The most arrivals that wait: about a second of work on a slow disk, and 5 MB. More visitors are asked to try again. */
const maxWaiting = 2000

/** The most arrivals in one transaction: about 300 KB, and a second of work on a slow machine. */
const maxBatch = 200

/** Gathers arrivals into transactions. Each promise resolves when its arrival is on disk. */
export function groupArrivals(run: RunWork): (arrival: LeadArrival) => Promise<AcceptedLead> {
  const store = (arrivals: readonly LeadArrival[]) => run(storeArrivals, arrivals)
  const groups = new GroupCommit<LeadArrival, AcceptedLead>({
    maxBatch,
    namesOf: ({ idempotencyKey, dedupeKey }) => [
      `idempotency key ${idempotencyKey}`,
      `dedupe key ${dedupeKey}`,
    ],
    isFaultOfAnItem: isBadRow,
    commit: (arrivals) =>
      retryConflicts(() =>
        store(arrivals).catch((error: unknown) => {
          // Storing again after a lost reply stores nothing twice, so the visitor need not try again.
          if (error instanceof ConnectionLostError) return store(arrivals)
          throw error
        }),
      ),
  })
  return (arrival) => groups.add(arrival)
}

/** @param store resolves when the arrival is on disk */
export function makeLeadIntake(store: (arrival: LeadArrival) => Promise<AcceptedLead>) {
  const underWay = new Set<Promise<unknown>>()
  let isClosed = false
  return {
    /**
     * Resolves when lead, consent and delivery are on disk. Rejects if the result is unknown.
     * @throws IntakeFullError
     */
    accept: async (arrival: LeadArrival): Promise<AcceptedLead> => {
      if (isClosed) throw new LoggableError('The store is closed.')
      if (underWay.size >= maxWaiting) {
        throw new IntakeFullError(`${maxWaiting} leads wait to be stored already.`)
      }
      const stored = store(arrival)
      underWay.add(stored)
      return stored.finally(() => underWay.delete(stored))
    },
    /** Stops accepting arrivals, and waits until the accepted arrivals are stored. */
    close: async () => {
      isClosed = true
      await Promise.allSettled(underWay)
    },
  }
}
