import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { parseDay, parseMonth, startOfDay } from '#domain/calendar.ts'
import { listMoney } from '#domain/money/ledger.ts'
import { makeAffiliateActions } from '#server/affiliates/manage-affiliates.ts'
import { makeReturnsImporter } from '#server/delivery/import-returns.ts'
import { defaultReturnColumns } from '#server/delivery/parse-returns.ts'
import { moveToPostgres } from '#server/platform/database/postgres/move-to-postgres.ts'
import { snapshotSqlite } from '#server/platform/database/sqlite/snapshot-sqlite.ts'
import { openStore, type Store } from '#server/store/open-store.ts'
import { freshDatabase } from '#tests/postgres/fresh-database.ts'
import { settleLead } from '#tests/store/act-on-leads.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { sqlitePlace, storePlaces, usePlace } from '#tests/store/store-places.ts'
import { makeDatedValueActions } from './dated-values.ts'
import { makeSpendActions } from './manage-spend.ts'
import { formatStatementCsv, makeStatementActions } from './statements.ts'

const minute = 60_000
const zone = 'America/New_York'
const actor = { kind: 'command line', user: 'ada' } as const
const details = { name: 'Acme', ids: ['a7'], notes: '', payoutCents: 2050, postbackUrl: null }
const [october, november, december] = ['2026-10', '2026-11', '2026-12'].map(
  (month) => parseMonth(month) ?? 0,
) as [number, number, number]
const noonOf = (text: string) => startOfDay(parseDay(text) ?? 0, zone) + 12 * 60 * minute

const contextOf = ({ operators, audit }: Store, now: number) => ({
  ...operators,
  audit,
  clock: () => now,
})
const affiliatesOf = (store: Store, now: number) =>
  makeAffiliateActions(contextOf(store, now), { allowsLocal: false, zone })
const statementsOf = (store: Store, now: number) =>
  makeStatementActions(contextOf(store, now), { zone })

async function acceptLead(store: Store, at: number): Promise<string> {
  const { lead, ...arrival } = exampleArrival({ receivedAt: at - minute, subId: 'a7' })
  await store.intake.accept({ lead, ...arrival })
  await settleLead(store, lead.id, 'delivered', at)
  return lead.id
}

const returnLead = (store: Store, id: string, now: number) =>
  makeReturnsImporter({ ...store.database, ...contextOf(store, now), zone }).import(
    actor,
    `reference,date,reason\n${id},${new Date(now).toISOString()},`,
    defaultReturnColumns,
  )

/** Stores three accepted leads of October, one of which is returned in October. */
async function storeOctober(store: Store) {
  const { id } = await affiliatesOf(store, noonOf('2026-10-01')).save(actor, details)
  const leads: string[] = []
  for (const day of ['2026-10-01', '2026-10-15', '2026-10-31'])
    leads.push(await acceptLead(store, noonOf(day)))
  const [returned = '', later = '', erased = ''] = leads
  await returnLead(store, returned, noonOf('2026-10-20'))
  return { id, later, erased }
}

/** Everything that a reader sees of a closed statement. */
async function readBytes(store: Store, id: string): Promise<string> {
  const statement = await statementsOf(store, noonOf('2026-12-15')).find(actor, id, october)
  return statement ? JSON.stringify(statement) + formatStatementCsv(statement) : ''
}

const sums = { accepted: 3, returned: 1, reversed: 0, owedCents: 4100 }

describe.each(storePlaces)('statements on $name', ({ makePlace }) => {
  const place = usePlace(makePlace)

  test('a closed statement stays as it is, and later returns are on the next open one', async () => {
    const store = await place.open()
    const { id, later, erased } = await storeOctober(store)
    const now = noonOf('2026-11-02')
    const statements = statementsOf(store, now)
    expect(await statements.find(actor, id, october)).toMatchObject({ ...sums, closed: undefined })
    expect(await statements.close(actor, id, october)).toBe('closed')
    const bytes = await readBytes(store, id)
    expect(bytes).toContain('Acme,2026-10,20.50,3,1,0,41.00\r\n')
    expect(bytes).toContain('Acme,2026-10,total,3,1,0,41.00\r\n')

    const known = await affiliatesOf(store, now).find(actor, id)
    await affiliatesOf(store, now).save(actor, { ...details, name: 'B', payoutCents: 9900 }, known)
    await returnLead(store, later, now)
    await store.erasure.erase({ leadId: erased }, now)
    // A worker's late answer: the lead was accepted in October.
    await acceptLead(store, noonOf('2026-10-30'))
    expect(await statements.close(actor, id, october)).toBe('closed before')
    expect(await readBytes(store, id)).toBe(bytes)
    const next = { accepted: 1, returned: 0, reversed: 1, owedCents: 0 }
    expect(await statements.find(actor, id, november)).toMatchObject(next)
    expect(await statementsOf(store, noonOf('2026-12-01')).close(actor, id, november)).toBe(
      'closed',
    )
    expect(await statements.find(actor, id, december)).toMatchObject({ accepted: 0, owedCents: 0 })

    await affiliatesOf(store, now).remove(actor, { id })
    expect(await readBytes(store, id)).toBe(bytes)
    const [entry] = await store.audit.list({ action: 'closed a statement', take: 1 })
    expect(entry?.changes).toContainEqual(['owed', '', '$0.00'])
  })

  test('two admins close a statement once, and nobody closes a month that still runs', async () => {
    const stores = [await place.open(), await place.open()] as const
    const { id } = await storeOctober(stores[0])
    const atEnd = startOfDay(november, zone)
    expect(await statementsOf(stores[0], atEnd - 1).close(actor, id, october)).toBe('not over')
    const openMonths = () => statementsOf(stores[0], atEnd).listOpenMonths(actor)
    expect(await openMonths()).toEqual([{ month: october, open: 1 }])
    const outcomes = await Promise.all(
      stores.map((store) => statementsOf(store, atEnd).close(actor, id, october)),
    )
    expect(outcomes.toSorted()).toEqual(['closed', 'closed before'])
    expect(await openMonths()).toEqual([])
    // A worker's late answer is on the statement of November, which has no lead of its own.
    await acceptLead(stores[0], noonOf('2026-10-30'))
    expect(await openMonths()).toEqual([])
    const afterwards = statementsOf(stores[0], noonOf('2027-01-02'))
    expect(await afterwards.listOpenMonths(actor)).toEqual([{ month: november, open: 1 }])
    expect(await afterwards.find(actor, id, november)).toMatchObject({ accepted: 1 })
    expect(await afterwards.close(actor, id, november)).toBe('closed')
    expect(await afterwards.listOpenMonths(actor)).toEqual([])
    expect(await openMonths()).toEqual([])
    expect(await statementsOf(stores[0], atEnd).find(actor, id, october)).toMatchObject(sums)
    expect(await statementsOf(stores[0], atEnd).close(actor, 'nobody', october)).toBe(
      'no affiliate',
    )
  })

  test('what a month earned and cost adds up, by the definitions', async () => {
    const store = await place.open()
    const values = makeDatedValueActions(contextOf(store, noonOf('2026-10-01')), { zone })
    await values.set(actor, 'revenue', { amount: '60', startsOn: '2026-10-01', program: '' })
    await storeOctober(store)
    const spend = makeSpendActions({
      ...contextOf(store, noonOf('2026-10-31')),
      ...{ longQueryDb: store.database.longQueryDb, zone },
    })
    await spend.add(actor, { day: '2026-10-31', source: 'google', campaign: '', amount: '19' })
    const statements = statementsOf(store, noonOf('2026-11-02'))
    const textsOf = async (month: number) =>
      Object.fromEntries(
        listMoney(await statements.readMoney(actor, month)).map(({ name, text }) => [name, text]),
      )
    expect(await textsOf(october)).toEqual({
      ...{ Accepted: '3', 'Returned or reversed': '1', Revenue: '$120.00', Owed: '$41.00' },
      ...{ 'Ad spend': '$19.00', Margin: '$60.00', 'Cost per kept lead': '$30.00' },
    })
    expect(await textsOf(november)).toMatchObject({
      ...{ Revenue: '$0.00', Margin: '$0.00', 'Cost per kept lead': '' },
    })
  })

  test('a payout starts today or later, so that no statement contradicts it', async () => {
    const store = await place.open()
    const { id } = await storeOctober(store)
    const now = noonOf('2026-11-02')
    await statementsOf(store, now).close(actor, id, october)
    const values = makeDatedValueActions(contextOf(store, now), { zone })
    const add = (startsOn: string) =>
      values.set(actor, { id }, { amount: '30', startsOn, program: '' })
    const tooEarly =
      'A payout counts for leads accepted from its first day on. Choose today or a later day.'
    expect(await add('2026-10-31')).toEqual({ startsOn: tooEarly })
    expect(await add('2026-11-01')).toEqual({ startsOn: tooEarly })
    expect(await add('2026-11-02')).toEqual({})
    expect(
      await values.set(actor, 'revenue', { amount: '60', startsOn: '2026-11-01', program: '' }),
    ).toEqual({ startsOn: tooEarly.replace('payout', 'revenue') })
  })
})

test('a backup that is restored and the move to PostgreSQL keep every byte of a closed statement', async () => {
  const { settings, remove } = await sqlitePlace()
  onTestFinished(remove)
  const store = await openStore(settings)
  await store.migrate()
  const { id } = await storeOctober(store)
  await statementsOf(store, noonOf('2026-11-02')).close(actor, id, october)
  const bytes = await readBytes(store, id)

  const dataDir = await mkdtemp(join(tmpdir(), 'restored-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  await snapshotSqlite(settings.dataDir, join(dataDir, 'leads.sqlite'), () => undefined)
  const restored = await openStore({ dataDir })
  onTestFinished(() => restored.close())
  await restored.migrate()
  expect(await readBytes(restored, id)).toBe(bytes)

  await store.close()
  const { url: databaseUrl, drop } = await freshDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const now = noonOf('2026-11-03')
  const moved = await moveToPostgres({ ...settings, databaseUrl, now, onProgress: () => undefined })
  expect(moved.kind).toBe('copied')
  const target = await openStore({ dataDir: '', databaseUrl })
  onTestFinished(() => target.close())
  expect(await readBytes(target, id)).toBe(bytes)
  await affiliatesOf(target, now).remove(actor, { id })
  expect(await readBytes(target, id)).toBe(bytes)
})
