import { isBadRow } from '#server/platform/database/faults/is-bad-row.ts'
import { GroupCommit, type GroupCommitSettings } from '#server/platform/database/group-commit.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { AcceptedLead, LeadArrival } from '../accept-enquiry.ts'

/** Some 300 KB as one parameter, and a second's work on a slow machine. */
const maxBatch = 200

/** @param storeArrivals stores them in one transaction; no two share an idempotency key or a dedupe key */
export const arrivalGroups = (
  storeArrivals: (arrivals: readonly LeadArrival[]) => Promise<readonly AcceptedLead[]>,
  tells: GroupCommitSettings<unknown, unknown>['tells'],
) =>
  new GroupCommit<LeadArrival, AcceptedLead>({
    maxBatch,
    tells,
    namesOf: ({ idempotencyKey, dedupeKey }) => [
      `idempotency key ${idempotencyKey}`,
      `dedupe key ${dedupeKey}`,
    ],
    isFaultOfAnItem: isBadRow,
    commit: (batch) => retryConflicts(() => storeArrivals(batch)),
  })
