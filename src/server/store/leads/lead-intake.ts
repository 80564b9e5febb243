import {
  type AcceptedLead,
  IntakeFullError,
  type LeadArrival,
  type LeadIntake,
} from '#server/use-cases/accept-enquiry.ts'
import type { LeadDatabase } from '../lead-database.ts'
import { retryConflicts } from '../retry-conflicts.ts'
import { sqliteCode, sqliteConstraint } from '../sqlite/sqlite-code.ts'
import { GroupCommit } from './group-commit.ts'

/** At most nine parameters a lead and statement: far below what a statement may carry (32,766 parameters on SQLite, 65,535 on PostgreSQL). */
const maxBatch = 200

/** About a second's worth on a slow disk, and some 5 MB: beyond it a visitor does better to come again. */
const maxWaiting = 2000

/** The port, and a `close` that waits for what has been taken. */
export interface StoreIntake extends LeadIntake {
  close(): Promise<void>
}

export function makeLeadIntake(storeArrivals: LeadDatabase['storeArrivals']): StoreIntake {
  const group = new GroupCommit<LeadArrival, AcceptedLead>({
    maxBatch,
    room: {
      maxWaiting,
      fullError: () => new IntakeFullError(`${maxWaiting} leads wait to be stored already.`),
    },
    namesOf: ({ idempotencyKey, sameEnquiryHash }) => [
      `key ${idempotencyKey}`,
      `enquiry ${sameEnquiryHash}`,
    ],
    isFaultOfAnItem: isBadRow,
    commit: (batch) => retryConflicts(() => storeArrivals(batch)),
  })
  return {
    accept: (arrival) => group.add(arrival),
    close: () => group.close(),
  }
}

/** PostgreSQL's classes 22 and 23 (data, constraint), SQLite's constraint; none of them can come of a COMMIT. */
export function isBadRow(error: unknown): boolean {
  const code = sqliteCode(error)
  if (code !== undefined) return code === sqliteConstraint
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^2[23]/.test(error.code)
  )
}
