import { describe, expect, test } from 'vitest'
import type { AffiliateDetails } from '#domain/affiliate/affiliate.ts'
import { describeMissingComparison, makeComparedPeriods } from '#domain/measuring/periods.ts'
import { makeAffiliateActions } from '#server/affiliates/manage-affiliates.ts'
import type { Store } from '#server/store/open-store.ts'
import { settleLead } from '#tests/store/act-on-leads.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { readComparedScorecards, readScorecard, readScorecards } from './read-scorecards.ts'
import { countVisits } from './visit-counts.ts'

const minute = 60_000
const day = 24 * 60 * minute
/** A Wednesday. */
const noon = Date.UTC(2026, 10, 25, 12)
const { range, before } = makeComparedPeriods({}, noon, 'UTC')
const actor = { kind: 'command line', user: 'ada' } as const

const details: AffiliateDetails = {
  ...{ name: 'Acme', ids: ['A7'], notes: '', payoutCents: 1000, postbackUrl: null },
}

const affiliate = { ...details, id: 'acme', createdAt: noon, stoppedAt: null, stopReason: null }

const affiliatesOf = ({ operators, audit }: Store) =>
  makeAffiliateActions(
    { ...operators, audit, clock: () => noon },
    { allowsLocal: false, zone: 'UTC' },
  )

/** Stores leads a day ago, and settles them after the given minutes. */
async function storeLeads(store: Store, subId: string, settled: readonly (number | undefined)[]) {
  const ids: string[] = []
  for (const [index, minutes] of settled.entries()) {
    const receivedAt = noon - day + index
    const arrival = exampleArrival({ receivedAt, subId })
    await store.intake.accept(arrival)
    ids.push(arrival.lead.id)
    if (minutes === undefined) continue
    const as = minutes === 0 ? 'rejected' : 'delivered'
    await settleLead(store, arrival.lead.id, as, receivedAt + minutes * minute)
  }
  return ids
}

const see = (store: Store, affiliate: string, at: number) =>
  store.database.db.transaction().execute((within) =>
    countVisits(
      within,
      [
        {
          ...{ at, events: ['seen'] },
          group: {
            ...{ area: 'business', source: null, campaign: null, affiliate },
            ...{ device: 'phone', program: null },
          },
        },
      ],
      { now: at, zone: 'UTC' },
    ),
  )

describe.each(storePlaces)('scorecards on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('add up all ids of an affiliate within the period', async () => {
    const store = await place.open()
    await storeLeads(store, 'a7', [4, 2, 0, undefined])
    await storeLeads(store, 'A7', [6])
    await storeLeads(store, 'other', [1])
    for (const [id, at] of [
      ['a7', noon - day],
      ['A7', noon - 2 * day],
      ['a7', noon - 31 * day],
      ['b1', noon - minute],
    ] as const) {
      await see(store, id, at)
    }
    await store.database.db
      .updateTable('lead_index')
      .set({ returned_at: noon })
      .where('affiliate', '=', 'A7')
      .execute()
    const now = await readScorecard(store.funnel, affiliate, range)
    expect(now.figures).toMatchObject({ visits: 2, leads: 5, returned: 1 })
    expect(now.figures.byStatus).toEqual({ delivered: 3, rejected: 1, owed: 1 })
    expect(now.medianMs).toBe(4 * minute)
    const earlier = await readScorecard(store.funnel, affiliate, before)
    expect(earlier).toMatchObject({ figures: { visits: 1, leads: 0 }, medianMs: undefined })
    const none = await readScorecard(store.funnel, { ...affiliate, ids: [] }, range)
    expect(none.figures).toMatchObject({ visits: 0, leads: 0 })
  })

  test('are compared only with complete days', async () => {
    const store = await place.open()
    const compare = async () => {
      const found = await readComparedScorecards(store.funnel, affiliate, { range, before })
      const { noVisits, noLeads } = found.comparison
      return [noVisits === undefined, noLeads === undefined]
    }
    const accept = (subId: string, receivedAt: number) =>
      store.intake.accept(exampleArrival({ receivedAt, subId }))
    // The store is older than the affiliate.
    await accept('older', before.since - 90 * day)
    await see(store, 'older', before.since - 90 * day)
    expect(await compare()).toEqual([false, false])
    await accept('a7', range.since + day)
    await accept('A7', before.since + minute)
    await see(store, 'A7', before.since + minute)
    expect(await compare(), 'it began in the middle').toEqual([false, false])
    await accept('a7', before.since)
    await see(store, 'a7', before.since - day)
    expect(await compare()).toEqual([true, true])
    const erase = (by: 'request' | 'retention') =>
      store.database.db
        .updateTable('leads')
        .set({ erased_at: noon, erased_by: by })
        .where('received_at', '=', before.since)
        .execute()
    await accept('unrelated', before.since)
    await erase('request')
    await accept('a7', before.since - day)
    expect(await compare(), 'after somebody’s request').toEqual([true, true])
    await erase('retention')
    const { comparison } = await readComparedScorecards(store.funnel, affiliate, { range, before })
    expect(describeMissingComparison(comparison)).toBe(
      'No comparison of leads: retention has erased leads of the earlier days.',
    )
    expect(
      await store.funnel.findMissing({ ...range, filter: {} }),
      'a later period is complete',
    ).toEqual({ noVisits: undefined, noLeads: undefined })
  })

  test('the list shows each affiliate’s costs, and the ids of no affiliate', async () => {
    const store = await place.open()
    const affiliates = affiliatesOf(store)
    await affiliates.save(actor, details)
    await storeLeads(store, 'a7', [4, 0])
    const [returnedLead = ''] = await storeLeads(store, 'A7', [6, undefined])
    await storeLeads(store, 'b2', [1])
    await storeLeads(store, 'B2', [undefined])
    await see(store, 'b1', noon - minute)
    await see(store, 'B1', noon - minute)
    // A lead that the distributor took back is not paid for.
    await store.database.db
      .insertInto('returns')
      .values({ lead_id: returnedLead, returned_at: noon, reason: null, imported_at: noon - 1 })
      .execute()
    const all = await affiliates.list(actor)
    const { affiliates: rows, unknown } = await readScorecards(store.funnel, all, range)
    expect(rows).toMatchObject([
      { figures: { leads: 4 }, accepted: 2, owedCents: 1000, payoutPerKeptCents: 1000 },
    ])
    expect(
      unknown.map(({ id, figures }) => [id.toLowerCase(), figures.leads, figures.visits]),
    ).toEqual([
      ['b2', 2, 0],
      ['b1', 0, 2],
    ])
  })

  test('a change of an affiliate by two operators at once is complete or fails', async () => {
    const stores = [await place.open(), await place.open()]
    const [affiliates, others] = stores.map(affiliatesOf)
    if (!affiliates || !others || !stores[0]) throw new Error('no store')
    const saved = await Promise.all([
      affiliates.save(actor, details),
      others.save(actor, { ...details, name: 'Bolt' }),
    ])
    expect(saved.map(({ errors }) => Object.keys(errors)).toSorted()).toEqual([[], ['ids']])
    const [first] = await affiliates.list(actor)
    if (!first) throw new Error('not saved')
    expect(await affiliates.find(actor, 'a7')).toEqual(first)

    await affiliates.save(actor, { ...details, name: 'Coil', ids: ['c1'] })
    const coil = await affiliates.find(actor, 'c1')
    const conflicting = { ...details, name: 'Coil 2', ids: ['c2', 'a7'] }
    expect((await affiliates.save(actor, conflicting, coil)).errors).toEqual({
      ids: `“a7” already belongs to ${first.name}.`,
    })
    expect(await affiliates.find(actor, 'c1')).toMatchObject({ name: 'Coil', ids: ['c1'] })
    expect(await affiliates.find(actor, 'c2')).toBeUndefined()

    await affiliates.save(actor, { ...details, name: 'Acme', ids: ['A7'] }, first)
    expect(await affiliates.find(actor, first.id)).toMatchObject({ name: 'Acme', ids: ['A7'] })
    await affiliates.remove(actor, first)
    expect(await affiliates.find(actor, 'A7')).toBeUndefined()
    const entries = await stores[0].audit.list({ subject: first.id, take: 10 })
    expect(entries.map(({ action, target }) => [action, target])).toContainEqual([
      'removed an affiliate',
      'Acme',
    ])
  })
})
