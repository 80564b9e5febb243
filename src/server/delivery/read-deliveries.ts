import type { BreakerState } from '#domain/delivery/breaker.ts'
import type {
  Backlog,
  DeliveriesView,
  DeliveryFigures,
  ErrorGroup,
} from '#domain/delivery/deliveries-view.ts'
import { hiddenResponse } from '#domain/delivery/describe-outcome.ts'
import { isAllowed } from '#domain/operator/rights.ts'
import { authorise } from '#server/operators/authorise.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'

interface Counted<Value> {
  readonly value: Value
  /** When counting began, in epoch milliseconds. */
  readonly countedAt: number
}

interface ReadDeliveriesParts {
  readonly readBreaker: () => Promise<BreakerState>
  /** The backlog, groups and figures may be old, because counting takes long. */
  readonly readBacklog: () => Promise<Counted<Backlog>>
  readonly readGroups: () => Promise<Counted<readonly ErrorGroup[]>>
  readonly readFigures: () => Promise<Counted<DeliveryFigures>>
  readonly clock: () => number
}

export function makeReadDeliveries(parts: ReadDeliveriesParts) {
  const { readBreaker, readBacklog, readGroups, readFigures, clock } = parts
  return async (actor: ConsoleActor): Promise<DeliveriesView> => {
    const now = clock()
    authorise(actor, 'see deliveries', now)
    const [breaker, backlog, groups, figures] = await Promise.all([
      readBreaker(),
      readBacklog(),
      readGroups(),
      readFigures(),
    ])
    return {
      breaker,
      backlog: backlog.value,
      groups: isAllowed(actor.role, 'reveal a lead')
        ? groups.value
        : groups.value.map((group) => ({ ...group, words: hiddenResponse })),
      figures: figures.value,
      now,
      isOld: [backlog, groups, figures].some(({ countedAt }) => countedAt < now),
    }
  }
}

export type ReadDeliveries = ReturnType<typeof makeReadDeliveries>
