import { describe, expect, test } from 'vitest'
import { parseDay, startOfDay } from '#domain/calendar.ts'
import { makeAffiliateActions } from '#server/affiliates/manage-affiliates.ts'
import { makeReturnsImporter } from '#server/delivery/import-returns.ts'
import { defaultReturnColumns } from '#server/delivery/parse-returns.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'
import type { Store } from '#server/store/open-store.ts'
import { releaseLead, settleLead } from '#tests/store/act-on-leads.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { makeDatedValueActions, type ValueOwner } from './dated-values.ts'
import { readLedgerByAffiliate } from './read-ledger.ts'

const minute = 60_000
const zone = 'America/New_York'
const actor = { kind: 'command line', user: 'ada' } as const
const details = { name: 'Acme', ids: ['a7'], notes: '', payoutCents: 2050, postbackUrl: null }

const noonOf = (text: string) => startOfDay(parseDay(text) ?? 0, zone) + 12 * 60 * minute

const affiliatesOf = ({ operators, audit }: Store, now: number) =>
  makeAffiliateActions({ ...operators, audit, clock: () => now }, { allowsLocal: false, zone })

const valuesOf = ({ operators, audit }: Store, now: number) =>
  makeDatedValueActions({ ...operators, audit, clock: () => now }, { zone })

const acceptLead = async (
  store: Store,
  at: number,
  lead: { subId?: string; email?: string } = {},
) => {
  const arrival = exampleArrival({ receivedAt: at - minute, subId: 'A7', ...lead })
  await store.intake.accept(arrival)
  await settleLead(store, arrival.lead.id, 'delivered', at)
  return arrival.lead.id
}

const returnLead = (store: Store, id: string, now: number) =>
  makeReturnsImporter({ ...store.database, audit: store.audit, clock: () => now, zone }).import(
    actor,
    `reference,date,reason\n${id},${new Date(now).toISOString().slice(0, 10)},`,
    defaultReturnColumns,
  )

const monthOf = async (store: Store, affiliateId: string, first: string, last: string) =>
  (
    await readLedgerByAffiliate(store.database.db, {
      since: startOfDay(parseDay(first) ?? 0, zone),
      until: startOfDay(parseDay(last) ?? 0, zone),
    })
  ).get(affiliateId)

const ledgerOf = (store: Store) =>
  store.database.db
    .selectFrom('lead_ledger')
    .select(['kind', 'at', 'affiliate_id', 'payout_cents'])
    .orderBy('at')
    .execute()

describe.each(storePlaces)('the ledger on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('a higher payout leaves what an earlier month owes, and counts from its day on', async () => {
    const store = await place.open()
    const august = noonOf('2026-08-10')
    const { id } = await affiliatesOf(store, august).save(actor, details)
    for (let lead = 0; lead < 55; lead++) await acceptLead(store, august + lead)
    const before = await monthOf(store, id, '2026-08-01', '2026-09-01')
    expect(before).toMatchObject({ accepted: 55, owedCents: 112_750 })

    const november = noonOf('2026-11-28')
    const affiliates = affiliatesOf(store, november)
    const known = await affiliates.find(actor, id)
    const { errors } = await affiliates.save(actor, { ...details, payoutCents: 4000 }, known)
    expect(errors).toEqual({})
    expect(await monthOf(store, id, '2026-08-01', '2026-09-01')).toEqual(before)
    await acceptLead(store, noonOf('2026-11-27'))
    await acceptLead(store, november)
    expect(await monthOf(store, id, '2026-11-27', '2026-11-28')).toMatchObject({ owedCents: 2050 })
    expect(await monthOf(store, id, '2026-11-28', '2026-11-29')).toMatchObject({ owedCents: 4000 })
    expect(await affiliates.find(actor, id)).toMatchObject({ payoutCents: 4000 })
    expect(await valuesOf(store, november).list(actor, { id })).toMatchObject([
      { fromDay: parseDay('2026-11-28'), amountCents: 4000, setBy: 'ada', setAt: november },
      { fromDay: 0, amountCents: 2050 },
    ])
  })

  test('a mistyped value is replaced or removed until a lead is accepted with it', async () => {
    const store = await place.open()
    const now = noonOf('2026-11-28')
    const values = valuesOf(store, now)
    const { id } = await affiliatesOf(store, now).save(actor, details)
    // Another value counted for a lead that was accepted just before, so the new one is still unused.
    await acceptLead(store, now - 1)
    const owners: readonly ValueOwner[] = ['revenue', { id, name: 'Acme' }]
    for (const of of owners) {
      const set = (amount: string, startsOn = '2026-11-28') =>
        values.set(actor, of, { amount, startsOn, program: '' })
      expect([await set('205'), await set('400', '2026-12-01'), await set('30')]).toEqual([
        ...[{}, {}, {}],
      ])
      const [later, today] = await values.list(actor, of)
      expect([later, today]).toMatchObject([
        { amountCents: 40_000, isUsed: false },
        { amountCents: 3000, isUsed: false },
      ])
      expect(await values.remove(actor, of, later?.id ?? '')).toBe(true)
      expect(await values.remove(actor, of, later?.id ?? '')).toBe(false)
      const entries = await store.audit.list({ take: 2 })
      const name = of === 'revenue' ? 'revenue' : 'payout'
      expect(entries.map(({ changes }) => changes)).toEqual([
        [[`${name} from 2026-12-01`, '400.00', '']],
        [[`${name} from 2026-11-28`, '205.00', '30.00']],
      ])
    }
    await acceptLead(store, now + minute)
    expect((await ledgerOf(store)).map(({ payout_cents }) => payout_cents)).toEqual([2050, 3000])
    for (const of of owners) {
      const [today] = await values.list(actor, of)
      expect(today).toMatchObject({ amountCents: 3000, isUsed: true })
      expect(await values.remove(actor, of, today?.id ?? '')).toBe(false)
      expect(await values.set(actor, of, { amount: '1', startsOn: '', program: '' })).toEqual({
        startsOn: expect.stringMatching(
          of === 'revenue'
            ? /^Leads accepted since 2026-11-28 keep \$30\.00: set the right revenue from tomorrow on\.$/
            : /keep \$30\.00: set the right payout from tomorrow on\. Until then, Stop affiliate keeps/,
        ),
      })
    }
  })

  test('a payout that begins later waits for its day', async () => {
    const store = await place.open()
    const now = noonOf('2026-11-28')
    const { id } = await affiliatesOf(store, now).save(actor, details)
    const value = { amount: '30', startsOn: '2026-12-01', program: '' }
    expect(await valuesOf(store, now).set(actor, { id }, value)).toEqual({})
    expect(await affiliatesOf(store, now).find(actor, id)).toMatchObject({ payoutCents: 2050 })
    const at = startOfDay(parseDay('2026-12-01') ?? 0, zone)
    await acceptLead(store, at - 1)
    await acceptLead(store, at)
    expect((await ledgerOf(store)).map(({ payout_cents }) => payout_cents)).toEqual([2050, 3000])
  })

  test('each lead counts once, and its return once, on the day when it is recorded', async () => {
    const store = await place.open()
    const at = noonOf('2026-10-31')
    const { id } = await affiliatesOf(store, at).save(actor, details)
    const lead = await acceptLead(store, at)
    await settleLead(store, lead, 'delivered', at + minute)
    await acceptLead(store, at + 1, { subId: 'somebody else' })
    const later = noonOf('2026-11-02')
    expect(await returnLead(store, lead, later)).toMatchObject({ recorded: 1 })
    expect(await returnLead(store, lead, later + 24 * 60 * minute)).toMatchObject({ corrected: 1 })
    expect(await ledgerOf(store)).toEqual([
      { kind: 'accepted', at, affiliate_id: id, payout_cents: 2050 },
      { kind: 'accepted', at: at + 1, affiliate_id: null, payout_cents: null },
      { kind: 'returned', at: later, affiliate_id: id, payout_cents: -2050 },
    ])
  })

  test('an erasure changes nothing, and a late acceptance of an erased lead is owed', async () => {
    const store = await place.open()
    const at = noonOf('2026-10-31')
    const { id } = await affiliatesOf(store, at).save(actor, details)
    const lead = await acceptLead(store, at, { email: 'ada@example.com' })
    await store.intake.accept(
      exampleArrival({
        receivedAt: at,
        subId: 'a7',
        email: 'ada@example.com',
        phone: '9415550101',
      }),
    )
    const [claimed] = await store.queue.claimDue({ now: at, leaseUntil: at + minute, limit: 1 })
    if (claimed === undefined) throw new Error('nothing is due')
    await store.erasure.erase(toEmailAddress('ada@example.com'), at)
    const attempt = {
      ...{ id: 'late', deliveryId: claimed.id, lease: claimed.lease, startedAt: at, durationMs: 9 },
      outcome: { name: 'delivered', httpStatus: 200 },
      next: { settledAs: 'delivered', at: at + 9 },
    } as const
    await store.queue.record(attempt)
    await store.queue.record(attempt)
    await returnLead(store, lead, at + minute)
    const entry = { affiliate_id: id, payout_cents: 2050 }
    expect(await ledgerOf(store)).toEqual([
      { kind: 'accepted', at, ...entry },
      { kind: 'accepted', at: at + 9, ...entry },
      { kind: 'returned', at: at + minute, affiliate_id: id, payout_cents: -2050 },
    ])
  })

  test('a program’s own payout comes before that of all programs, until it ends', async () => {
    const store = await place.open()
    const now = noonOf('2026-10-01')
    const { id } = await affiliatesOf(store, now).save(actor, details)
    const set = (amount: string, startsOn: string) =>
      valuesOf(store, now).set(actor, { id }, { amount, startsOn, program: '12' })
    expect([await set('30', '2026-10-02'), await set('', '2026-10-04')]).toEqual([{}, {}])
    for (const day of ['2026-10-01', '2026-10-03', '2026-10-05'])
      await acceptLead(store, noonOf(day))
    expect((await ledgerOf(store)).map(({ payout_cents }) => payout_cents)).toEqual([
      2050, 3000, 2050,
    ])
  })

  test('a stopped affiliate gets nothing for a lead that an operator releases', async () => {
    const store = await place.open()
    const at = noonOf('2026-10-31')
    const { id } = await affiliatesOf(store, at).save(actor, details)
    const arrival = exampleArrival({ receivedAt: at, subId: 'a7' })
    await store.intake.accept({ ...arrival, signals: ['affiliate-stopped'], isQuarantined: true })
    await releaseLead(store, arrival.lead.id, at)
    await settleLead(store, arrival.lead.id, 'delivered', at)
    expect(await ledgerOf(store)).toMatchObject([{ affiliate_id: id, payout_cents: 0 }])
  })

  test('nobody can change or remove an entry, or change a payout', async () => {
    const store = await place.open()
    const at = noonOf('2026-10-31')
    await affiliatesOf(store, at).save(actor, details)
    await acceptLead(store, at)
    const { db } = store.database
    for (const change of [
      db.updateTable('lead_ledger').set({ payout_cents: 1 }),
      db.deleteFrom('lead_ledger'),
      db.updateTable('payouts').set({ amount_cents: 1 }),
    ])
      await expect(change.execute()).rejects.toThrow('append-only')
  })
})
