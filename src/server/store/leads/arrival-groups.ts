import type { AcceptedLead, LeadArrival } from '#server/use-cases/accept-enquiry.ts'
import { isBadRow } from '../is-bad-row.ts'
import { retryConflicts } from '../retry-conflicts.ts'
import { GroupCommit, type GroupCommitSettings } from './group-commit.ts'

/** At most nine parameters a lead and statement: far below what a statement may carry (32,766 parameters on SQLite, 65,535 on PostgreSQL). */
const maxBatch = 200

/** @param storeArrivals see store-arrivals.ts */
export const arrivalGroups = (
  storeArrivals: (arrivals: readonly LeadArrival[]) => Promise<readonly AcceptedLead[]>,
  tells: GroupCommitSettings<unknown, unknown>['tells'],
) =>
  new GroupCommit<LeadArrival, AcceptedLead>({
    maxBatch,
    tells,
    namesOf: ({ idempotencyKey, sameEnquiryHash }) => [
      `key ${idempotencyKey}`,
      `enquiry ${sameEnquiryHash}`,
    ],
    isFaultOfAnItem: isBadRow,
    commit: (batch) => retryConflicts(() => storeArrivals(batch)),
  })
