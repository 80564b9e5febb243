import { describe, expect, test } from 'vitest'
import { toEmailAddress } from '#server/platform/email-address.ts'
import type { Store } from '#server/store/open-store.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { exampleTime } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storeLeadOfEachStatus } from '#tests/store/lead-of-each-status.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { makeReturnsImporter, type ReturnsImportResult } from './import-returns.ts'
import { defaultReturnColumns } from './parse-returns.ts'

const now = exampleTime
const actor = { kind: 'command line', user: 'ada' } as const
const today = '2026-01-15'

describe.each(storePlaces)('returns on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)
  const returnsOf = (store: Store, clock = () => now) =>
    makeReturnsImporter({ ...store.database, audit: store.audit, clock, zone: 'America/Denver' })
  const importInto = (store: Store, ...lines: string[]): Promise<ReturnsImportResult> =>
    returnsOf(store).import(
      actor,
      ['reference,date,reason', ...lines].join('\n'),
      defaultReturnColumns,
    )
  const stored = () => askStore(place.settings(), 'select * from returns order by lead_id')

  test('marks an accepted lead once, and importing the file again changes nothing', async () => {
    const store = await place.open()
    const { delivered } = await storeLeadOfEachStatus(store)
    const id = '019bc0de-0000-7000-8000-00000000000e'
    const webhook = { id, url: 'https://crm.example', secret: 'x', created_at: now }
    const wanted = { events: '["returned"]', sends_personal_data: 0 }
    await store.database.db
      .insertInto('webhooks')
      .values({ ...webhook, ...wanted })
      .execute()
    const line = `${delivered},${today},wrong number`
    const none = { recorded: 0, corrected: 0, known: 0 }
    expect(await importInto(store, line)).toEqual({ kind: 'imported', ...none, recorded: 1 })
    const rows = await stored()
    const told = await askStore(place.settings(), 'select event, lead_id from notifications')
    expect(told).toEqual([{ event: 'returned', lead_id: delivered }])
    const again = await returnsOf(store, () => now + 1).import(
      actor,
      `reference,date,reason\n${line}`,
      defaultReturnColumns,
    )
    expect(again).toEqual({ kind: 'imported', ...none, known: 1 })
    expect((await store.audit.list({ take: 1 }))[0]?.outcome).toBe('0 recorded, 1 known before')
    expect(await stored()).toEqual(rows)
    const found = await store.leadReader.find(delivered, now)
    expect(found).toMatchObject({
      status: 'delivered',
      returned: { at: Date.UTC(2026, 0, 15, 12), reason: 'wrong number' },
    })
    expect((await store.leadReader.stats(now)).returned).toBe(1)

    const corrected = `${delivered},2026-01-14,wrong number`
    expect(await importInto(store, corrected)).toEqual({ kind: 'imported', ...none, corrected: 1 })
    const [index] = await askStore(
      place.settings(),
      'select returned_at from lead_index where returned_at is not null',
    )
    expect(Number(index?.returned_at)).toBe(Date.UTC(2026, 0, 14, 12))
  })

  test('imports a time in the school’s zone, and nothing of a long file with unknown leads', async () => {
    const store = await place.open()
    const { delivered } = await storeLeadOfEachStatus(store)
    expect(await importInto(store, `${delivered},1/15/26 3:05 PM,"no\nanswer"`)).toMatchObject({
      kind: 'imported',
      recorded: 1,
    })
    expect(await stored()).toMatchObject([{ reason: 'no answer' }])
    expect(Number((await stored())[0]?.returned_at)).toBe(Date.UTC(2026, 0, 15, 22, 5))
    const unknown = Array.from(
      { length: 1200 },
      (_, n) => `019bc0de-0000-7000-9000-${String(n).padStart(12, '0')},${today},x`,
    )
    const refused = await importInto(store, ...unknown, `${delivered},2026-01-16,x`)
    expect(refused).toMatchObject({ kind: 'refused', faults: { length: 1200 } })
    expect(await stored()).toMatchObject([{ reason: 'no answer' }])
  })

  test('changes nothing if any line is wrong, and names each wrong line', async () => {
    const store = await place.open()
    const ids = await storeLeadOfEachStatus(store)
    const unknown = '019bc0de-0000-7000-8000-000000000001'
    const result = await importInto(
      store,
      `${ids.delivered},${today},x`,
      `${unknown},${today},x`,
      `${ids.rejected},${today},x`,
      `${ids.quarantined},${today},x`,
      `${ids.pending},soon,x`,
    )
    expect(result).toEqual({
      kind: 'refused',
      columns: {},
      faults: [
        { line: 3, message: 'there is no lead with this id' },
        { line: 4, message: 'the distributor has not accepted this lead' },
        { line: 5, message: 'the distributor has not accepted this lead' },
        {
          line: 6,
          message: '“soon” is not a date: write it like 2026-11-30 or 11/30/2026',
        },
      ],
    })
    const early = await importInto(store, `${ids.delivered},2026-01-13,x`)
    expect(early).toMatchObject({
      faults: [{ line: 2, message: 'the date is before the lead was received' }],
    })
    const late = await importInto(store, `${ids.delivered},2026-01-17,x`)
    expect(late).toMatchObject({ faults: [{ line: 2, message: 'the date is in the future' }] })
    expect(await stored()).toEqual([])
  })

  test('remembers the headings of an imported file, and not of a refused one', async () => {
    const store = await place.open()
    const { delivered } = await storeLeadOfEachStatus(store)
    const returns = returnsOf(store)
    const columns = { lead: 'Lead', date: 'When', reason: '' }
    expect(await returns.columns()).toEqual(defaultReturnColumns)
    await returns.import(actor, 'lead,date\n', columns)
    expect(await returns.columns()).toEqual(defaultReturnColumns)
    await returns.import(actor, `when,lead\n${today},${delivered}`, columns)
    expect(await returns.columns()).toEqual(columns)
    expect(await store.audit.list({ action: 'imported returns', take: 9 })).toMatchObject([
      { who: 'ada', outcome: '1 recorded' },
    ])
  })

  test('an erasure removes the reason, and an erased lead’s return has none', async () => {
    const store = await place.open()
    const { delivered } = await storeLeadOfEachStatus(store)
    await importInto(store, `${delivered},${today},Ada never called back`)
    await store.erasure.erase(toEmailAddress('delivered@example.com'), now)
    expect(await stored()).toMatchObject([{ lead_id: delivered, reason: null }])
    await importInto(store, `${delivered},2026-01-14,Ada never called back`)
    expect(await stored()).toMatchObject([{ lead_id: delivered, reason: null }])
    expect(await store.leadReader.find(delivered, now)).toMatchObject({
      status: 'erased',
      returned: { at: Date.UTC(2026, 0, 14, 12), reason: null },
    })
  })
})
