import { LoggableError } from '#domain/loggable-error.ts'
import { GroupCommit } from '#server/platform/database/group-commit.ts'
import type { RunWork } from '#server/platform/database/lead-database.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import { ConnectionLostError, isBadRow } from '#server/platform/faults/database-errors.ts'
import { type AcceptedLead, type LeadArrival, storeArrivals } from './store-arrivals.ts'

/** The store is working; so many arrivals wait that this one was not tried. It can be sent again a second later. */
export class IntakeFullError extends LoggableError {
  override readonly name = 'IntakeFullError'
}

export type LeadIntake = ReturnType<typeof makeLeadIntake>

/** About a second's worth on a slow disk, and some 5 MB: beyond it a visitor does better to come again. */
const maxWaiting = 2000

/** Some 300 KB, and a second's work on a slow machine. */
const maxBatch = 200

/** Gathers arrivals into transactions. Each resolves once it is on disk. */
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
          // Stores nothing twice, so a visitor is not turned away for a reply that was lost.
          if (error instanceof ConnectionLostError) return store(arrivals)
          throw error
        }),
      ),
  })
  return (arrival) => groups.add(arrival)
}

/** @param store resolves once the arrival is on disk */
export function makeLeadIntake(store: (arrival: LeadArrival) => Promise<AcceptedLead>) {
  const underWay = new Set<Promise<unknown>>()
  let isClosed = false
  return {
    /**
     * Resolves only when lead, consent and delivery are on disk. Rejects if that is unknown.
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
    /** Takes no more, and waits for what was taken. */
    close: async () => {
      isClosed = true
      await Promise.allSettled(underWay)
    },
  }
}
