import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { DeliveryNextStep } from '#domain/delivery/delivery.ts'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import { emptyFilter, type LeadFilter } from '#domain/lead/lead-filter.ts'
import { makeFunnelFigures } from '#domain/measuring/funnel-figures.ts'
import { findLeads } from '#server/leads/find-leads.ts'
import { countForOverview, listComparedDays } from '#server/leads/overview-counts.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'
import type { Store } from '#server/store/open-store.ts'
import { retryLead, settleLead } from '#tests/store/act-on-leads.ts'
import { exampleArrival, exampleTime } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storePlaces, usePlace } from '#tests/store/store-places.ts'
import { withDatabase } from '#tests/store/with-database.ts'
import { loadRelease } from '#tests/upgrade/load-release.ts'

const minute = 60_000
const start = exampleTime
const range = { since: start - 60 * minute, until: start + 1 }

const answers = {
  accepted: [
    { name: 'delivered', httpStatus: 200 },
    { settledAs: 'delivered', at: start },
  ],
  rejected: [
    { name: 'rejected', httpStatus: 200 },
    { settledAs: 'rejected', at: start },
  ],
  'rejected by the cap': [
    { name: 'rejected', httpStatus: 200, cause: 'cap' },
    { settledAs: 'rejected', at: start },
  ],
  busy: [
    { name: 'busy', httpStatus: 503 },
    { retryAt: start + 5 * minute, setBy: 'schedule' },
  ],
  'out of attempts': [
    { name: 'busy', httpStatus: 503 },
    { settledAs: 'dead', at: start },
  ],
} as const satisfies Record<string, readonly [AttemptOutcome, DeliveryNextStep]>

type Answer = keyof typeof answers

let at = start

/** Attempts every due delivery, and gives each lead the answer of the function. */
async function attemptAll(store: Store, findAnswer: (leadId: string) => Answer): Promise<void> {
  at += minute
  const claimed = await store.queue.claimDue({ now: at, leaseUntil: at + minute, limit: 100 })
  for (const { id, lease, lead } of claimed) {
    const [outcome, next] = answers[findAnswer(lead.id)]
    const attempt = { id: randomUUIDv7(), deliveryId: id, lease, startedAt: at, durationMs: 5 }
    await store.queue.record({ ...attempt, outcome, next })
  }
}

/** Stores a lead for each answer, and attempts each once. @returns the ids in the same order */
async function storeAnswered(store: Store, given: readonly Answer[]): Promise<readonly string[]> {
  at = start
  const answerOf = new Map<string, Answer>()
  for (const [index, answer] of given.entries()) {
    const arrival = exampleArrival({
      receivedAt: start - index,
      subId: `partner ${index % 2}`,
      email: `person${index}@example.com`,
    })
    await store.intake.accept(arrival)
    answerOf.set(arrival.lead.id, answer)
  }
  await attemptAll(store, (id) => answerOf.get(id) ?? 'busy')
  return [...answerOf.keys()]
}

/** Everything that counts the distributor's answers. */
async function countAnswers(store: Store) {
  const { byStatus } = await countForOverview(store.database.db, listComparedDays(start, 'UTC'))
  const funnel = makeFunnelFigures({}, await store.funnel.leads({ ...range, filter: {} }))
  const stats = await store.leadReader.stats(at)
  return {
    overview: [byStatus.delivered, byStatus.rejected],
    funnel: [funnel.byStatus.delivered, funnel.byStatus.rejected, funnel.rejectedBecause],
    stats: [stats.byStatus.delivered, stats.byStatus.rejected + stats.retriedRejections],
  }
}

const idsOf = async (store: Store, filter: Partial<LeadFilter>) => {
  const search = { filter: { ...emptyFilter, ...filter }, keys: undefined, take: 50, now: at }
  const { leads } = await findLeads(store.database.db, { ...search, towards: 'newer' })
  return leads.map(({ id }) => id).toSorted()
}

describe.each(storePlaces)('the last answer on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)
  const mixed: readonly Answer[] = [
    ...(['accepted', 'rejected', 'rejected', 'rejected by the cap', 'accepted'] as const),
    ...(['out of attempts', 'rejected'] as const),
  ]

  test('counts until the next answer, whatever happens to the delivery', async () => {
    const store = await place.open()
    const ids = await storeAnswered(store, mixed)
    const before = await countAnswers(store)
    expect(before).toEqual({
      overview: [2, 4],
      funnel: [2, 4, { rejected: 3, cap: 1 }],
      stats: [2, 4],
    })
    const rejected = [1, 2, 3, 6].map((index) => ids[index] ?? '')
    for (const id of rejected) await retryLead(store, id, at)
    expect(await countAnswers(store), 'after a retry').toEqual(before)
    expect(await store.leadReader.stats(at)).toMatchObject({
      byStatus: { pending: 4, rejected: 0 },
      retriedRejections: 4,
    })
    await attemptAll(store, () => 'busy')
    expect(await countAnswers(store), 'after a 503').toEqual(before)
    for (const id of rejected) await retryLead(store, id, at)
    await attemptAll(store, () => 'out of attempts')
    expect(await countAnswers(store), 'after the last attempt').toEqual(before)
    expect(await idsOf(store, { rejected: ['any'] })).toEqual(rejected.toSorted())
    expect(await idsOf(store, { rejected: ['cap'], status: ['dead'] })).toEqual([ids[3]])

    for (const id of rejected) await retryLead(store, id, at)
    await attemptAll(store, (id) => (id === ids[3] ? 'accepted' : 'rejected'))
    const { overview, funnel, stats } = await countAnswers(store)
    expect({ overview, funnel, stats }, 'after new answers').toEqual({
      overview: [3, 3],
      funnel: [3, 3, { rejected: 3 }],
      stats: [3, 3],
    })
  })

  test('may come from an operator who settles the lead', async () => {
    const store = await place.open()
    const [one = '', two = ''] = await storeAnswered(store, ['busy', 'rejected'])
    const before = await countAnswers(store)
    await settleLead(store, one, 'rejected', at)
    await retryLead(store, one, at)
    expect(await countAnswers(store)).toMatchObject({ overview: [0, 2], stats: [0, 2] })
    await settleLead(store, one, 'delivered', at)
    await retryLead(store, two, at)
    expect(before.overview).toEqual([0, 1])
    expect(await countAnswers(store)).toMatchObject({ overview: [1, 1], stats: [1, 1] })
    await settleLead(store, two, 'rejected', at)
    expect(await countAnswers(store)).toMatchObject({ overview: [1, 1], stats: [1, 1] })
  })

  test('goes with the person’s data', async () => {
    const store = await place.open()
    const [, two = ''] = await storeAnswered(store, ['rejected', 'rejected'])
    await retryLead(store, two, at)
    for (const email of ['person0@example.com', 'person1@example.com']) {
      await store.erasure.erase(toEmailAddress(email), at)
    }
    expect(await countAnswers(store)).toMatchObject({
      overview: [0, 0],
      stats: [0, 0],
    })
  })
})

describe.each(storePlaces)('an upgrade from 0.2.0 on $name', ({ makePlace }) => {
  const place = usePlace(makePlace)

  test('counts the rejected leads that wait or failed after a retry', async () => {
    await loadRelease('0.2.0', place.settings())
    const idsBy: Record<string, string> = {}
    await withDatabase(place.settings(), async (db) => {
      const rows = await db.selectFrom('deliveries').select(['lead_id', 'settled_as']).execute()
      for (const { lead_id, settled_as } of rows) idsBy[settled_as ?? 'open'] = lead_id
      // What 0.2.0 stores after a retry of the lead that the distributor rejected, and of one settled by hand.
      await sql`update deliveries set settled_as = null, settled_at = null, settled_because = null,
        spared = attempts where settled_as = 'rejected'`.execute(db)
      await sql`update deliveries set settled_by_hand_at = 1 where settled_as = 'dead'`.execute(db)
    })
    const store = await place.open()
    await store.ready()
    expect(await idsOf(store, { rejected: ['cap'] })).toEqual([idsBy.rejected])
    expect(await idsOf(store, { rejected: ['rejected'] })).toEqual([idsBy.dead])
    expect(await store.leadReader.stats(at)).toMatchObject({ retriedRejections: 2 })
  })
})
