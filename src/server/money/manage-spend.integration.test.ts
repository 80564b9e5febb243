import { describe, expect, test } from 'vitest'
import { parseDay } from '#domain/calendar.ts'
import { describeImport } from '#server/platform/mapped-csv.ts'
import type { Store } from '#server/store/open-store.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { makeSpendActions, readSpend } from './manage-spend.ts'
import { defaultSpendColumns } from './parse-spend.ts'

const actor = { kind: 'command line', user: 'ada' } as const
const viewer = {
  kind: 'console',
  id: 'v',
  email: 'vera@example.edu',
  role: 'viewer',
  lastAuthenticatedAt: 0,
  network: '',
} as const
const now = Date.UTC(2026, 10, 28, 12)

const spendOf = ({ database, operators, audit }: Store) =>
  makeSpendActions({
    ...{ ...operators, audit, clock: () => now, zone: 'America/New_York' },
    longQueryDb: database.longQueryDb,
  })

const days = { first: parseDay('2026-11-01') ?? 0, last: parseDay('2026-11-30') ?? 0 }

describe.each(storePlaces)('ad spend on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('the same file twice changes nothing, and another amount replaces the earlier one', async () => {
    const store = await place.open()
    const spend = spendOf(store)
    const headings = { day: 'Date', source: 'Network', campaign: '', amount: 'Cost' }
    const file = 'Date;Network;Cost\n11/27/2026;Google;$1,250.50\n2026-11-28;bing;7\n'
    const add = async (text: string) => {
      const result = await spend.import(actor, text, headings)
      return result.kind === 'imported' ? describeImport(result) : result
    }
    expect(await add(file)).toBe('2 recorded')
    const listed = await spend.list(actor)
    expect(await add(file)).toBe('0 recorded, 2 known before')
    expect(await spend.list(actor)).toEqual(listed)
    expect(await readSpend(store.database.db, days)).toBe(125_750)
    expect(await add(file.replace('Google;$1,250.50', 'google;1000'))).toBe(
      '0 recorded, 1 corrected, 1 known before',
    )
    expect(await readSpend(store.database.db, days)).toBe(100_700)
    expect(await spend.columns()).toEqual(headings)
    const [entry] = await store.audit.list({ action: 'changed ad spend', take: 1 })
    expect(entry?.changes).toEqual([['2026-11-27 google', '$1,250.50', '$1,000.00']])
  })

  test('every wrong line is named, and nothing of the file is imported', async () => {
    const store = await place.open()
    const lines = [
      'day,source,campaign,amount',
      '2026-11-27,google,brand,10',
      '2026-02-30,google,brand,10',
      '2026-11-29,google,brand,10',
      '2026-11-27,,brand,10',
      '2026-11-27,google,mba,-10',
      '2026-11-27,google,mba,1.234',
      '2026-11-27,Google,BRAND,20',
      '2026-11-27,google,brand\u200b,20',
      '1926-11-27,google,brand,10',
      '2026-11-27,google,"mba,10',
      '2026-11-27,google,""mba"",10"',
    ]
    const result = await spendOf(store).import(actor, lines.join('\n'), defaultSpendColumns)
    expect(result.kind === 'refused' && result.faults).toEqual([
      { line: 3, message: '“2026-02-30” is not a day: write it like 2026-11-30 or 11/30/2026' },
      { line: 4, message: '“2026-11-29” is in the future' },
      { line: 5, message: 'the source is missing' },
      { line: 6, message: '“-10” is not an amount of US dollars: write it like 1250.00' },
      { line: 7, message: '“1.234” is not an amount of US dollars: write it like 1250.00' },
      {
        line: 8,
        message: 'the day, source and campaign are on line 2 already: add up the amounts',
      },
      {
        line: 9,
        message: 'the day, source and campaign are on line 2 already: add up the amounts',
      },
      { line: 10, message: '“1926-11-27” is before the year 2000' },
      { line: 11, message: 'a value in quotes contains other lines: close its quote (")' },
    ])
    expect(await spendOf(store).list(actor)).toMatchObject({ rows: [], totalCents: 0 })
    const missing = await spendOf(store).import(actor, 'day,source\n', defaultSpendColumns)
    expect(missing.kind === 'refused' && Object.keys(missing.columns)).toEqual([
      'campaign',
      'amount',
    ])
  })

  test('an amount that is typed in counts like an imported one', async () => {
    const store = await place.open()
    const spend = spendOf(store)
    const typed = { day: '2026-11-27', source: 'google', campaign: 'brand', amount: '12.50' }
    expect(await spend.add(actor, { ...typed, amount: 'ten' })).toEqual({
      errors: { amount: '“ten” is not an amount of US dollars: write it like 1250.00' },
    })
    expect(await spend.add(actor, typed)).toMatchObject({ errors: {}, correction: undefined })
    const day = parseDay('2026-11-27')
    const row = { source: 'google', day, amountCents: 1250, setBy: 'ada' }
    expect(await spend.list(actor)).toMatchObject({ rows: [row], totalCents: 1250 })
    // Viewers see no operator's address anywhere.
    expect(await spend.list(viewer)).toMatchObject({ rows: [{ ...row, setBy: '' }] })
    expect(await spend.list(actor, parseDay('2026-10-01'))).toMatchObject({ rows: [] })
    expect(await spend.add(actor, { ...typed, amount: '13' })).toMatchObject({
      correction: '2026-11-27 google brand: $12.50 → $13.00',
    })
    const person = { ...typed, source: 'ada@example.com' }
    await spend.add(actor, person)
    await spend.add(actor, { ...person, amount: '1' })
    const entries = await store.audit.list({ action: 'changed ad spend', take: 9 })
    expect(JSON.stringify(entries)).not.toContain('ada@')
    await spend.add(actor, { ...person, amount: '0' })
    await spend.add(actor, typed)
    expect(await readSpend(store.database.db, days)).toBe(1250)
  })
})
