import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { DeliveryRetries } from './retry-deliveries.ts'
import { retryLeads } from './retry-leads.ts'

export function makeDeliveryRetries({ db }: Pick<LeadDatabase, 'db'>): DeliveryRetries {
  return {
    retry: (leadId, now) =>
      retryConflicts(() =>
        db.transaction().execute(async (store) => {
          const outcomes = await retryLeads(store, [leadId], now)
          return outcomes.get(leadId) ?? { kind: 'unknown' }
        }),
      ),
  }
}
