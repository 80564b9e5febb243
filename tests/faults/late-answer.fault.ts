import { randomUUIDv7 } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import type { ClaimedDelivery } from '#server/delivery/claim-deliveries.ts'
import type { DeliveryQueue } from '#server/delivery/delivery-queue.ts'
import type { LeadIntake } from '#server/enquiries/lead-intake.ts'
import { exampleArrival, exampleTime } from '#tests/store/example-arrival.ts'
import { storePlaces, usePlace } from '#tests/store/store-places.ts'
import { deliveryOf } from './deliveries.ts'
import { figure } from './figure.ts'

const lease = 60_000
const delivered: AttemptOutcome = { name: 'delivered', httpStatus: 200 }
const rejected: AttemptOutcome = { name: 'rejected', httpStatus: 200 }
const broken: AttemptOutcome = { name: 'broken', httpStatus: 500, reason: 'server-error' }
const outcomes = [delivered, rejected, broken]

/** The expected delivery if the first worker's answer comes after the second worker's, or before it. */
const orders = outcomes.flatMap((late) =>
  outcomes.flatMap((timely) =>
    (['after', 'before'] as const).map((when) => ({
      late,
      timely,
      when,
      // If the distributor accepted the lead in either attempt, it is delivered; otherwise the worker with the lease
      // decides.
      settledAs: [late, timely].includes(delivered)
        ? 'delivered'
        : timely === rejected
          ? 'rejected'
          : null,
    })),
  ),
)

type Order = (typeof orders)[number]

describe.for(storePlaces)('$name', ({ name, makePlace }) => {
  const { open, settings } = usePlace(makePlace)

  test('if a worker gets an answer after its lease has ended, the worker with the new lease decides', async () => {
    const { intake, queue } = await open()
    for (const order of orders) await play(order, intake, queue)
    figure(`A worker that outlives its lease, ${name}`, {
      orders: orders.length,
      wronglySettled: 0,
    })
  })

  async function play(order: Order, intake: Pick<LeadIntake, 'accept'>, queue: DeliveryQueue) {
    const { late, timely, when, settledAs } = order
    const what = `told ${timely.name}, and ${when} that the first is told ${late.name}`
    const { id } = await intake.accept(exampleArrival())
    const claim = async (now: number) => {
      const claimed = await queue.claimDue({ now, leaseUntil: now + lease, limit: 9 })
      expect(claimed, what).toHaveLength(1)
      return claimed[0] as ClaimedDelivery
    }
    const hear = ({ id, lease }: ClaimedDelivery, outcome: AttemptOutcome, at: number) =>
      queue.record({
        id: randomUUIDv7(),
        deliveryId: id,
        lease,
        startedAt: at - 10,
        durationMs: 10,
        outcome,
        next:
          outcome === broken
            ? { retryAt: at + 5000, setBy: 'schedule' }
            : { settledAs: outcome.name as 'delivered' | 'rejected', at },
      })

    const leaseEnds = exampleTime + lease
    const first = await claim(exampleTime)
    const second = await claim(leaseEnds)
    const answers = [
      () => hear(second, timely, leaseEnds + 1000),
      () => hear(first, late, leaseEnds + 2000),
    ]
    for (const answer of when === 'after' ? answers : answers.toReversed()) await answer()

    const delivery = await deliveryOf(settings(), id)
    expect(delivery.settledAs, what).toBe(settledAs)
    // The attempts record that the first one's outcome was unknown, and the answer that arrived later.
    const outcomes = delivery.attempts.map(({ outcome }) => outcome)
    expect(outcomes.toSorted(), what).toEqual(['unknown', timely.name, late.name].toSorted())
    if (settledAs !== null) return
    expect(delivery.nextAt, what).toBe(leaseEnds + 6000)
    await hear(await claim(leaseEnds + 6000), delivered, leaseEnds + 7000)
  }
})
