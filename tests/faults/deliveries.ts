import type { AttemptOutcomeName } from '#domain/delivery/outcome.ts'
import type { StoreSettings } from '#server/store/open-store.ts'
import { until } from '#tests/patience/until.ts'
import { type Ask, whileAsking } from '#tests/store/ask-store.ts'

export interface StoredDelivery {
  readonly settledAs: string | null
  /** Epoch milliseconds. */
  readonly nextAt: number
  readonly attempts: readonly StoredAttempt[]
}

export interface StoredAttempt {
  readonly outcome: AttemptOutcomeName
  readonly httpStatus: number | null
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly endedAt: number
}

/** Reads a lead's delivery from the store. */
export const deliveryOf = (settings: StoreSettings, leadId: string): Promise<StoredDelivery> =>
  whileAsking(settings, (ask) => askForDelivery(ask, leadId))

async function askForDelivery(ask: Ask, leadId: string): Promise<StoredDelivery> {
  const rows = await ask(
    `select settled_as, next_at, outcome, http_status, started_at, duration_ms
    from deliveries left join attempts on attempts.delivery_id = deliveries.id
    where lead_id = '${leadId}' order by started_at, attempts.id`,
  )
  const [first] = rows
  if (first === undefined) throw new Error('The store owes this lead no delivery.')
  return {
    settledAs: first.settled_as as string | null,
    nextAt: Number(first.next_at),
    attempts: rows
      .filter(({ outcome }) => outcome !== null)
      .map((row) => ({
        outcome: row.outcome as AttemptOutcomeName,
        httpStatus: row.http_status as number | null,
        startedAt: Number(row.started_at),
        endedAt: Number(row.started_at) + Number(row.duration_ms),
      })),
  }
}

/** Waits until a lead's delivery is in an expected state. */
export async function eventually(
  settings: StoreSettings,
  leadId: string,
  isSo: (delivery: StoredDelivery) => boolean,
): Promise<StoredDelivery> {
  return whileAsking(settings, (ask) =>
    until(async () => {
      const delivery = await askForDelivery(ask, leadId)
      return isSo(delivery) ? delivery : undefined
    }),
  )
}

export const wasTried = ({ attempts }: StoredDelivery): boolean => attempts.length > 0

export const isSettled = ({ settledAs }: StoredDelivery): boolean => settledAs !== null
