import { makeAffiliateActions } from '#server/affiliates/manage-affiliates.ts'
import { makeReturnsImporter } from '#server/delivery/import-returns.ts'
import { makeCapActions } from '#server/delivery/manage-caps.ts'
import { makeDoNotContactActions } from '#server/delivery/manage-do-not-contact.ts'
import { makePauseActions } from '#server/delivery/pause-deliveries.ts'
import { makeJobs } from '#server/jobs/jobs.ts'
import { makeLeadActions } from '#server/jobs/lead-actions.ts'
import { makeDatedValueActions } from '#server/money/dated-values.ts'
import { makeSpendActions } from '#server/money/manage-spend.ts'
import { makeStatementActions } from '#server/money/statements.ts'
import { makeWebhookActions } from '#server/notifications/manage-webhooks.ts'
import type { Store } from './open-store.ts'

interface OperatorActionsSettings {
  readonly clock: () => number
  /** Whether webhooks and postbacks may have http URLs and private hosts. */
  readonly allowsLocal: boolean
  /** The longest time that an operator waits for the answer to a test notification, in milliseconds. */
  readonly timeoutMs?: number
  /** Called when a job was started or changed. */
  readonly onWork?: () => void
}

export type OperatorActions = ReturnType<typeof makeOperatorActions>

/**
 * Makes the actions of operators, which the console and the commands share.
 * @param readers whose database the pages with lists read
 */
export function makeOperatorActions(
  store: Store,
  readers: Pick<Store, 'audit' | 'database'>,
  {
    clock,
    allowsLocal,
    timeoutMs = maxTestTimeoutMs,
    onWork = () => undefined,
  }: OperatorActionsSettings,
) {
  const { audit, zone } = store
  const changing = { ...store.operators, audit, clock }
  const importing = { ...store.database, audit, clock, zone }
  const listing = { db: readers.database.db, audit: readers.audit, clock }
  return {
    leadActions: makeLeadActions({ ...store, clock }),
    jobs: makeJobs(readers.database, { clock, onWork }),
    webhooks: makeWebhookActions({ ...listing, timeoutMs, allowsLocal }),
    caps: makeCapActions({ ...listing, zone }),
    pauseDeliveries: makePauseActions({ ...store, clock }),
    returns: makeReturnsImporter(importing),
    statements: makeStatementActions(changing, { zone }),
    datedValues: makeDatedValueActions(changing, { zone }),
    spend: makeSpendActions(importing),
    doNotContact: makeDoNotContactActions(importing),
    affiliates: makeAffiliateActions(changing, { allowsLocal, zone }),
  }
}

export const maxTestTimeoutMs = 10_000
