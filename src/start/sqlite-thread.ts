import { claimDueDeliveries } from '#server/delivery/claim-deliveries.ts'
import { recordDeliveryAttempts } from '#server/delivery/record-attempts.ts'
import { storeArrivals } from '#server/enquiries/store-arrivals.ts'
import { actOnJobLeads, storeJobLeads } from '#server/jobs/job-step.ts'
import { eraseExpiredBatch } from '#server/leads/erase-expired-leads.ts'
import { countEndedVisits } from '#server/measuring/visit-store.ts'
import {
  claimDueNotifications,
  recordNotificationAttempts,
} from '#server/notifications/notification-queue.ts'
import { serveDatabaseThread } from '#server/platform/database/sqlite/serve-database-thread.ts'

// Lists every function that runs in SQLite's writer thread.
serveDatabaseThread([
  storeArrivals,
  claimDueDeliveries,
  recordDeliveryAttempts,
  claimDueNotifications,
  recordNotificationAttempts,
  eraseExpiredBatch,
  storeJobLeads,
  actOnJobLeads,
  countEndedVisits,
])
