import { createHash, randomUUIDv7 } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { DeliveryNextStep } from '#domain/delivery/delivery.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { emptyFilter } from '#domain/lead/lead-filter.ts'
import { toPlainLine } from '#domain/text/plain-line.ts'
import type { SendResult } from '#server/delivery/distributor-client.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'
import type { Store } from '#server/store/open-store.ts'
import { retryLead, settleLead } from '#tests/store/act-on-leads.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { exampleArrival, exampleTime as now } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { runInStore } from '#tests/store/run-in-store.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { listErrorGroups, maxErrorGroups } from './error-groups.ts'
import { findLeads } from './find-leads.ts'

const minute = 60_000

interface Failure {
  readonly lead?: Partial<Lead>
  readonly said?: string
  readonly next?: DeliveryNextStep
  readonly outcome?: SendResult['outcome']
  readonly startedAt?: number
}

const server500 = { name: 'broken', httpStatus: 500, reason: 'server-error' } as const

/** Accepts leads and records one failed attempt for each. Resolves with the leads' ids. */
async function fail(store: Store, failures: readonly Failure[]): Promise<readonly string[]> {
  const arrivals = failures.map(({ lead }, index) =>
    exampleArrival({ receivedAt: now - minute + index, ...lead }),
  )
  for (const arrival of arrivals) await store.intake.accept(arrival)
  const claimed = await store.queue.claimDue({ now, leaseUntil: now + minute, limit: 1000 })
  for (const { id, lease, lead } of claimed) {
    const failure = failures[arrivals.findIndex((arrival) => arrival.lead.id === lead.id)] ?? {}
    const { said, startedAt = now, outcome = server500 } = failure
    await store.queue.record({
      id: randomUUIDv7(),
      deliveryId: id,
      lease,
      startedAt,
      durationMs: 5,
      outcome,
      response: said === undefined ? undefined : toPlainLine(said),
      next: failure.next ?? { settledAs: 'dead', at: now },
    })
  }
  return arrivals.map(({ lead }) => lead.id)
}

const idsIn = async (store: Store, group: string | undefined) => {
  const { leads } = await findLeads(store.database.db, {
    filter: { ...emptyFilter, error: [group ?? ''] },
    keys: undefined,
    take: 50,
    now,
    towards: 'older',
  })
  return leads.map(({ id }) => id)
}

describe.each(storePlaces)('error groups on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('contain leads with the same response, and are a filter', async () => {
    const store = await place.open()
    const rejected = { name: 'rejected', httpStatus: 200 } as const
    const retried = { retryAt: now + minute, setBy: 'schedule' } as const
    const ids = await fail(store, [
      { said: 'no lead 17 of zoe@example.com', lead: { email: 'zoe@example.com' } },
      { said: 'no lead 4711 of Zoë', next: retried, startedAt: now + minute },
      { said: 'no lead 4711 of (941) 555-0100', startedAt: now - minute },
      { said: 'full', outcome: rejected, next: { settledAs: 'rejected', at: now } },
      { outcome: { name: 'unknown', reason: 'timeout' }, next: retried },
    ])
    const groups = await listErrorGroups(store.database.db)
    // A viewer sees the group's id but not the response, so the id must not be a plain hash of it.
    const guess = createHash('sha256').update('no lead … of …').digest('base64url').slice(0, 8)
    expect(groups[0]?.id).not.toContain(guess)
    const none = { count: 0, isAll: true }
    const one = { count: 1, isAll: true }
    expect(groups[0]).toEqual({
      kind: 'errors',
      id: expect.stringMatching(/^500~[\w-]{8}$/),
      error: '500',
      words: 'no lead … of …',
      leads: { waiting: one, dead: { count: 2, isAll: true }, rejected: none },
      firstAt: now - minute,
      lastAt: now + minute,
      example: ids[1],
    })
    expect(new Set(groups.slice(1).map(({ error, words }) => `${error} ${words}`))).toEqual(
      new Set(['rejected full', 'timeout ']),
    )
    expect(await idsIn(store, groups[0]?.id)).toEqual(ids.slice(0, 3).toReversed())
    expect(await idsIn(store, '500~another0')).toEqual([])
    const { leads } = await findLeads(store.database.db, {
      filter: { ...emptyFilter, error: [groups[0]?.id ?? '', 'timeout'], status: ['pending'] },
      keys: undefined,
      take: 50,
      now,
      towards: 'older',
    })
    expect(leads.map(({ id }) => id)).toEqual([ids[4], ids[1]])
  })

  test('come with the latest attempt first, and errors apart from rejections', async () => {
    const store = await place.open()
    const rejected = { name: 'rejected', httpStatus: 200 } as const
    const year = 365 * 24 * 60 * minute
    const waits = { retryAt: now + 30 * minute, setBy: 'schedule' } as const
    const ended = { outcome: rejected, next: { settledAs: 'rejected', at: now } } as const
    const [, , , byHand = '', retried = ''] = await fail(store, [
      { said: 'old and frequent', startedAt: now - year },
      { said: 'old and frequent', startedAt: now - year + 1 },
      { said: 'outage', next: waits, startedAt: now + 3 },
      { said: 'outage', next: waits, startedAt: now + 2 },
      { said: 'wrong program', startedAt: now + 4, ...ended },
      { said: 'under age', startedAt: now + 1, ...ended },
    ])
    await settleLead(store, byHand, 'rejected', now + 5)
    await retryLead(store, retried, now + 5)
    const groups = await listErrorGroups(store.database.db)
    expect(
      groups.map(({ kind, words, leads }) => [
        ...[kind, words],
        ...[leads.waiting.count, leads.dead.count, leads.rejected.count],
      ]),
    ).toEqual([
      ['rejections', 'wrong program', 1, 0, 0],
      ['errors', 'outage', 1, 0, 0],
      ['rejections', 'outage', 0, 0, 1],
      ['rejections', 'under age', 0, 0, 1],
      ['errors', 'old and frequent', 0, 2, 0],
    ])
  })

  test('contain each lead under the error of its last attempt', async () => {
    const store = await place.open()
    const retried = { retryAt: now, setBy: 'schedule' } as const
    const [id] = await fail(store, [{ said: 'no', next: retried, startedAt: now - minute }])
    await fail(store, [])
    const groups = await listErrorGroups(store.database.db)
    expect(groups.map(({ words, example, lastAt }) => [words, example, lastAt])).toEqual([
      ['', id, now],
    ])
  })

  test('lose a lead at once when it is delivered or erased', async () => {
    const store = await place.open()
    const email = 'gone@example.com'
    const [taken = ''] = await fail(store, [{ said: 'no' }, { said: 'no', lead: { email } }])
    await retryLead(store, taken, now)
    const [delivery] = await store.queue.claimDue({ now, leaseUntil: now + minute, limit: 1 })
    await store.queue.record({
      id: randomUUIDv7(),
      deliveryId: delivery?.id ?? '',
      lease: delivery?.lease ?? '',
      startedAt: now + 1,
      durationMs: 5,
      outcome: { name: 'delivered', httpStatus: 200 },
      next: { settledAs: 'delivered', at: now },
    })
    expect((await listErrorGroups(store.database.db))[0]?.leads.dead.count).toBe(1)
    await store.erasure.erase(toEmailAddress(email), now)
    expect(await listErrorGroups(store.database.db)).toEqual([])
    const index = await askStore(place.settings(), 'select error_group, failed_at from lead_index')
    expect(index).toEqual(Array(2).fill({ error_group: null, failed_at: null }))
  })

  test('are limited: further responses share one group per error until there is room', async () => {
    const store = await place.open()
    const letters = 'abcdefghijklmnopqrstuvwxyz'
    const word = (index: number) => `${letters[Math.floor(index / 26)]}${letters[index % 26]}`
    const values = Array.from({ length: maxErrorGroups - 1 }, (_, index) => `('${index}', '', '')`)
    const filled = `insert into error_groups (id, error, words) values ${values.join(', ')}`
    await runInStore(place.settings(), filled)
    const used = `insert into lead_index (lead_id, received_at, status, area, attempts, error_group, failed_at)
      select id, 1, 'dead', 'general', 1, id, 1 from error_groups`
    await runInStore(place.settings(), used)
    const said = async () =>
      (await listErrorGroups(store.database.db))
        .filter(({ error }) => error === '500')
        .map(({ words, leads }) => [words, leads.dead.count])
        .toSorted()
    await fail(
      store,
      [0, 1, 2].map((index) => ({ said: word(index) })),
    )
    expect(await said()).toEqual([
      [expect.stringMatching(/^a[abc]$/), 1],
      ['…', 2],
    ])
    await runInStore(place.settings(), "delete from lead_index where lead_id < '2'")
    await fail(store, [{ said: 'room' }])
    expect(await said()).toContainEqual(['room', 1])
  })
})
