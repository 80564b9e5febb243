import { describe, expect, test } from 'vitest'
import type { Store } from '#server/store/open-store.ts'
import { releaseLead, settleLead } from '#tests/store/act-on-leads.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { makeAffiliateActions } from './manage-affiliates.ts'

const admin = { kind: 'command line', user: 'ada' } as const
const now = Date.UTC(2026, 10, 25, 12)

const affiliatesOf = ({ operators, audit }: Store) =>
  makeAffiliateActions(
    { ...operators, audit, clock: () => now },
    { allowsLocal: true, zone: 'UTC' },
  )

async function addAffiliate(store: Store, name: string, ids: readonly string[]) {
  const affiliates = affiliatesOf(store)
  const details = { name, ids, notes: '', payoutCents: 1000 }
  await affiliates.save(admin, { ...details, postbackUrl: `http://127.0.0.1:9/${name}/{event}` })
  const known = await affiliates.find(admin, ids[0] ?? '')
  if (known === undefined) throw new Error('not saved')
  return known
}

const accept = (store: Store, subId: string) =>
  store.intake.accept(exampleArrival({ receivedAt: now, subId }))

const postbacksOf = async ({ database }: Store) =>
  (
    await database.db
      .selectFrom('notifications')
      .select(['event', 'event_reason', 'lead_id'])
      .orderBy('id')
      .execute()
  ).map(({ event, event_reason, lead_id }) => [lead_id, event, event_reason])

describe.each(storePlaces)('a stopped affiliate on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('has its new leads quarantined, in any case of its ids, and is told so', async () => {
    const store = await place.open()
    const acme = await addAffiliate(store, 'Acme', ['Acme-7'])
    await addAffiliate(store, 'Bolt', ['b8'])
    const earlier = await accept(store, 'Acme-7')
    expect(await affiliatesOf(store).change(admin, acme, 'stop', 'bought leads')).toBe(true)
    const stopped = [await accept(store, 'Acme-7'), await accept(store, 'aCME-7')]
    const others = [await accept(store, 'b8'), await accept(store, 'nobody’s')]
    expect(stopped.map(({ found }) => found)).toEqual([
      ['affiliate-stopped'],
      ['affiliate-stopped'],
    ])
    const claimed = await store.queue.claimDue({ now, leaseUntil: now + 60_000, limit: 9 })
    expect(claimed.map(({ lead }) => lead.id).toSorted()).toEqual(
      [earlier, ...others].map(({ id }) => id).toSorted(),
    )
    const records = await store.leadReader.read(
      stopped.map(({ id }) => id),
      now,
    )
    for (const record of records) {
      expect(record).toMatchObject({ status: 'quarantined', signals: ['affiliate-stopped'] })
    }
    expect(await postbacksOf(store)).toEqual(
      stopped.map(({ id }) => [id, 'stopped', 'affiliate stopped']),
    )
  })

  test('gets nothing for a released lead, whose postback says why', async () => {
    const store = await place.open()
    const acme = await addAffiliate(store, 'Acme', ['a7'])
    await affiliatesOf(store).change(admin, acme, 'stop', 'bought leads')
    const { id } = await accept(store, 'a7')
    await affiliatesOf(store).change(admin, acme, 'start', 'explained')
    const paid = await accept(store, 'a7')
    expect(await releaseLead(store, id, now)).toEqual({ kind: 'due' })
    for (const lead of [id, paid.id]) await settleLead(store, lead, 'delivered', now)
    const owed = await store.database.db
      .selectFrom('lead_ledger')
      .select(['lead_id', 'payout_cents'])
      .execute()
    expect(new Map(owed.map((entry) => [entry.lead_id, entry.payout_cents]))).toEqual(
      new Map([
        [id, 0],
        [paid.id, 1000],
      ]),
    )
    expect(await postbacksOf(store)).toEqual([
      [id, 'stopped', 'affiliate stopped'],
      [id, 'accepted', 'affiliate stopped'],
      [paid.id, 'accepted', null],
    ])
  })

  test('is stopped and started once, each with its reason in the audit log', async () => {
    const store = await place.open()
    const acme = await addAffiliate(store, 'Acme', ['a7'])
    const affiliates = affiliatesOf(store)
    const changes = (['stop', 'stop', 'start', 'start'] as const).values()
    const done = []
    for (const change of changes) done.push(await affiliates.change(admin, acme, change, 'so'))
    expect(done).toEqual([true, false, true, false])
    const entries = await store.audit.list({ subject: acme.id, take: 9 })
    expect(entries.map(({ action, reason, target }) => [action, reason, target])).toEqual([
      ['started an affiliate', 'so', 'Acme'],
      ['stopped an affiliate', 'so', 'Acme'],
      ['added an affiliate', null, 'Acme'],
    ])
    expect(await affiliates.list(admin)).toMatchObject([{ stoppedAt: null, stopReason: null }])
  })
})
