import type { ManualSettlement } from '#domain/delivery/delivery.ts'
import * as settling from '#server/delivery/change-deliveries.ts'
import { retryLeads } from '#server/delivery/change-deliveries.ts'
import * as releasing from '#server/leads/release-leads.ts'
import { runInTransaction } from '#server/platform/database/retry-conflicts.ts'
import type { Store } from '#server/store/open-store.ts'

/** Acts on one lead as the console does, but without an operator. Times are epoch milliseconds. */
export const retryLead = (store: Store, id: string, now: number) =>
  runInTransaction(store.database.db, async (all) => (await retryLeads(all, [id], now)).get(id))

export const settleLead = (store: Store, id: string, as: ManualSettlement, now: number) =>
  runInTransaction(store.database.db, (all) => settling.settleDelivery(all, id, as, now))

export const releaseLead = (
  store: Store,
  id: string,
  now: number,
  options?: releasing.ReleaseOptions,
) => runInTransaction(store.database.db, (all) => releasing.releaseLead(all, id, now, options))

export const undoRelease = (store: Store, id: string) =>
  runInTransaction(store.database.db, (all) => releasing.undoRelease(all, id))
