import type { DeliveriesView } from '#domain/delivery/deliveries-view.ts'
import { hiddenResponse } from '#domain/delivery/describe-outcome.ts'
import { isAllowed } from '#domain/operator/rights.ts'
import type { LeadIndex } from '#server/leads/lead-index.ts'
import { authorise } from '#server/operators/authorise.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'
import { timedCache } from '#server/platform/timed-cache.ts'
import type { BreakerStore } from './breaker-store.ts'
import type { DeliveryBacklog } from './delivery-backlog.ts'
import { type DeliveryRollups, figuresOf } from './delivery-rollups.ts'

interface ReadDeliveriesParts {
  readonly breaker: Pick<BreakerStore, 'read'>
  readonly backlog: DeliveryBacklog
  readonly index: Pick<LeadIndex, 'errorGroups'>
  readonly rollups: DeliveryRollups
  readonly clock: () => number
}

/**
 * Counting takes some milliseconds per ten thousand waiting leads. This factor limits it to a tenth of the store's
 * time, and all operators who look at the page share the counts.
 */
const lifetimeFactor = 10

export function makeReadDeliveries({
  breaker,
  backlog,
  index,
  rollups,
  clock,
}: ReadDeliveriesParts) {
  const readCounts = timedCache(
    async () => {
      const now = clock()
      const [waiting, groups, figures] = await Promise.all([
        backlog.read(now),
        index.errorGroups.list(),
        figuresOf(rollups, now),
      ])
      return { backlog: waiting, groups, figures }
    },
    { times: lifetimeFactor },
  )
  return async (actor: ConsoleActor): Promise<DeliveriesView> => {
    const now = clock()
    authorise(actor, 'see deliveries', now)
    const [state, { groups, ...counts }] = await Promise.all([breaker.read(), readCounts()])
    return {
      breaker: state,
      ...counts,
      groups: isAllowed(actor.role, 'reveal a lead')
        ? groups
        : groups.map((group) => ({ ...group, words: hiddenResponse })),
      now,
    }
  }
}

export type ReadDeliveries = ReturnType<typeof makeReadDeliveries>
