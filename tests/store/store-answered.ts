import { randomUUIDv7 } from 'node:crypto'
import type { Lead } from '#domain/lead/lead.ts'
import { toPlainLine } from '#domain/text/plain-line.ts'
import type { Store } from '#server/store/open-store.ts'
import { exampleArrival } from './example-arrival.ts'

const minute = 60_000

/** A lead's values and the distributor's answer; without an answer, the distributor accepts the lead. */
export type Answered = readonly [lead: Partial<Lead>, said?: string]

/** Stores leads and the distributor's answer to each. @returns the leads' ids */
export async function storeAnswered(
  store: Store,
  now: number,
  answered: readonly Answered[],
): Promise<readonly string[]> {
  const arrivals = answered.map(([lead]) =>
    exampleArrival({ receivedAt: now - minute, attribution: null, ...lead }),
  )
  await Promise.all(arrivals.map((arrival) => store.intake.accept(arrival)))
  const saidTo = new Map(arrivals.map(({ lead }, index) => [lead.id, answered[index]?.[1]]))
  const claimed = await store.queue.claimDue({ now, leaseUntil: now + minute, limit: 2000 })
  await Promise.all(
    claimed.map(({ id, lease, lead }) => {
      const said = saidTo.get(lead.id)
      const name = said === undefined ? ('delivered' as const) : ('rejected' as const)
      return store.queue.record({
        ...{ id: randomUUIDv7(), deliveryId: id, lease, startedAt: now, durationMs: 5 },
        outcome: { name, httpStatus: 200 },
        response: said === undefined ? undefined : toPlainLine(said),
        next: { settledAs: name, at: now },
      })
    }),
  )
  return arrivals.map(({ lead }) => lead.id)
}
