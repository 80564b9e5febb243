import type { AcceptedLead, LeadArrival } from '#server/use-cases/leads/accept-enquiry.ts'
import { isBadRow } from '../../faults/is-bad-row.ts'
import { retryConflicts } from '../../retry-conflicts.ts'
import { GroupCommit, type GroupCommitSettings } from './group-commit.ts'

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
