import { describe, expect, test } from 'vitest'
import { formatDay, parseDay, startOfDay } from '#domain/calendar.ts'
import { day, hour } from '#domain/durations.ts'
import { makeComparedPeriods } from '#domain/measuring/periods.ts'
import { makeAffiliateActions } from '#server/affiliates/manage-affiliates.ts'
import { makeReturnsImporter } from '#server/delivery/import-returns.ts'
import { defaultReturnColumns } from '#server/delivery/parse-returns.ts'
import { settleLead } from '#tests/store/act-on-leads.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { makeFunnelReader } from './funnel-reader.ts'
import { readTrend } from './read-trend.ts'

const zone = 'America/New_York'
const actor = { kind: 'command line', user: 'ada' } as const

const midnightOf = (text: string) => startOfDay(parseDay(text) ?? 0, zone)

describe.each(storePlaces)('the trend on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('counts leads and margin on the school’s days, and the points add up to the total', async () => {
    const store = await place.open()
    const { db } = store.database
    const funnel = makeFunnelReader({ db, zone })
    const now = midnightOf('2026-11-04') + hour
    const affiliates = makeAffiliateActions(
      { ...store.operators, audit: store.audit, clock: () => now },
      { allowsLocal: false, zone },
    )
    const details = { name: 'Acme', ids: ['a7'], notes: '', payoutCents: 2000, postbackUrl: null }
    const { id } = await affiliates.save(actor, details)
    await db
      .insertInto('revenues')
      .values({ id: 'r', program: null, from_day: 0, from_at: 0, amount_cents: 5000 } as never)
      .execute()
    await db
      .insertInto('spend')
      .values({
        ...{ day: parseDay('2026-11-02') ?? 0, source: 'google', campaign: 'fall' },
        ...{ source_key: 'google', campaign_key: 'fall', amount_cents: 700, set_at: now },
      } as never)
      .execute()
    // The clocks went back on November 1, a day of 25 hours.
    const times = [
      midnightOf('2026-11-02') - 1,
      midnightOf('2026-11-02'),
      midnightOf('2026-11-03') - 1,
    ]
    const leads: string[] = []
    for (const [index, at] of times.entries()) {
      const { lead, ...arrival } = exampleArrival({
        ...{ receivedAt: at, email: `a${index}@example.com`, phone: `941555010${index}` },
        subId: index === 0 ? 'a7' : 'other',
        attribution: { first: {}, last: { utm_source: index === 2 ? 'bing' : 'Google' } },
      })
      await store.intake.accept({ lead, ...arrival })
      await settleLead(store, lead.id, 'delivered', at)
      leads.push(lead.id)
    }
    const request = { from: parseDay('2026-11-01'), to: parseDay('2026-11-03') }
    const { range } = makeComparedPeriods(request, now, zone)
    const trend = await readTrend(funnel, { range, unit: undefined, zone, filter: {} })
    expect(
      trend.points.map((point) => [formatDay(point.first), point.leads, point.marginCents]),
    ).toEqual([
      ['2026-11-01', 1, 3000],
      ['2026-11-02', 2, 10_000 - 700],
      ['2026-11-03', 0, 0],
    ])
    expect(trend.total).toMatchObject({ leads: 3, accepted: 3, marginCents: 12_300 })

    const own = { range, unit: undefined, zone, filter: { affiliate: ['a7'] } }
    for (const query of [own, { ...own, affiliateId: id }]) {
      const { total, hasSpend } = await readTrend(funnel, query)
      expect({ ...total, hasSpend }).toMatchObject({ leads: 1, marginCents: 3000, hasSpend: false })
    }

    const sums = async (by: 'source' | 'campaign', filter = {}) =>
      (await funnel.moneyByOrigin(by, { ...range, filter }))
        .map(({ value, ledger, spendCents }) => [value, ledger?.revenueCents ?? spendCents])
        .toSorted()
    expect(await sums('source')).toEqual([
      ['Google', 10_000],
      ['bing', 5000],
      ['google', 700],
    ])
    expect(await sums('campaign')).toEqual([
      [null, 15_000],
      ['fall', 700],
    ])
    expect(await sums('campaign', { area: 'nowhere' })).toEqual([])
    expect(await sums('campaign', { source: 'bing' })).toEqual([[null, 5000]])

    const back = makeReturnsImporter({
      db,
      longQueryDb: db,
      audit: store.audit,
      clock: () => now,
      zone,
    })
    await back.import(actor, `reference,date,reason\n${leads[0]},2026-11-03,`, defaultReturnColumns)
    const recorded = { since: now - day, until: now + 1 }
    expect(await funnel.returnsByAge({ ...recorded, affiliateId: id })).toEqual([
      { days: 1, returns: 1 },
    ])
    expect(await funnel.returnsByAge({ ...recorded, affiliateId: 'nobody' })).toEqual([])
  })
})
