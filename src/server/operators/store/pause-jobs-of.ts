import type { Kysely } from 'kysely'
import { bulkActions, rightFor } from '#domain/job/bulk-action.ts'
import { isAllowed } from '#domain/operator/rights.ts'
import type { Role } from '#domain/operator/role.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

interface LostRights {
  /** Undefined where they may do nothing any more. */
  readonly role?: Role
  /** Epoch milliseconds. */
  readonly at: number
}

/** What somebody has begun and might not begin now waits for somebody who may. */
export async function pauseJobsOf(
  db: Kysely<StoreTables>,
  operatorId: string,
  { role, at }: LostRights,
): Promise<void> {
  const lost = bulkActions.filter(
    (action) => role === undefined || !isAllowed(role, rightFor[action]),
  )
  if (lost.length === 0) return
  await db
    .updateTable('jobs')
    .set({ paused_at: at, lease: null, leased_until: null })
    .where('operator_id', '=', operatorId)
    .where('action', 'in', lost)
    .where('phase', 'in', ['gathering', 'running'])
    .where('paused_at', 'is', null)
    .execute()
}
