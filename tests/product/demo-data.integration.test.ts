import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { makeFunnelFigures } from '#domain/measuring/funnel-figures.ts'
import { openStore } from '#server/store/open-store.ts'
import { startInProcess } from '#tests/product/start-in-process.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { makeDemoDataCommand, makeDemoFolder } from '../../scripts/demo-data.ts'

const makeDemoData = () => makeDemoDataCommand().parseAsync(['--days', '8'], { from: 'user' })

test('fills an unused demo store with a few days of a business, and refuses any other store', async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onTestFinished(() => void vi.restoreAllMocks())
  const dataDir = await mkdtemp(join(tmpdir(), 'demo-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  vi.stubEnv('DATA_DIR', dataDir)
  onTestFinished(() => void vi.unstubAllEnvs())

  vi.stubEnv('APP_MODE', 'production')
  await expect(makeDemoData()).rejects.toThrow('Nothing was done')
  vi.stubEnv('APP_MODE', 'demo')
  await expect(makeDemoData()).rejects.toThrow('There is no store at')
  expect(await readdir(dataDir)).toEqual([])
  const store = await openStore({ dataDir })
  onTestFinished(() => store.close())
  await store.migrate()
  await expect(makeDemoData()).rejects.toThrow('was never started in demo mode. Nothing was done')
  await store.rememberMode('demo')
  const operator = { id: 'x', email: 'ada@example.edu', role: 'admin', created_at: 1 } as const
  await store.operators.db.insertInto('operators').values(operator).execute()
  await expect(makeDemoData()).rejects.toThrow('has operators. Nothing was done')
  await store.operators.db.deleteFrom('operators').execute()

  await makeDemoData()
  const { leads, byStatus, returned } = await store.leadReader.stats(Date.now())
  expect(leads).toBeGreaterThan(400)
  expect(byStatus.delivered / leads).toBeGreaterThan(0.7)
  for (const n of [byStatus.rejected, byStatus.duplicate, returned]) expect(n).toBeGreaterThan(0)
  const { db } = store.database
  const spent = await db.selectFrom('spend').select(['campaign', 'amount_cents']).execute()
  expect(new Set(spent.map(({ campaign }) => campaign)).size).toBeGreaterThan(4)
  const ledger = await db
    .selectFrom('lead_ledger')
    .selectAll()
    .where('kind', '=', 'accepted')
    .execute()
  expect(ledger.filter(({ revenue_cents }) => revenue_cents === null)).toEqual([])
  expect(new Set(ledger.map(({ revenue_cents }) => revenue_cents))).toEqual(new Set([4800, 6400]))
  const entries = await db.selectFrom('do_not_contact').selectAll().execute()
  expect(entries).toHaveLength(200)
  const signals = await db.selectFrom('leads').select('signals').execute()
  // By chance, the listed person enquires more than once.
  expect(signals.filter((one) => one.signals?.includes('do-not-contact'))).not.toEqual([])
  const returns = await db
    .selectFrom('returns')
    .innerJoin('leads', 'leads.id', 'lead_id')
    .select(['returned_at', 'received_at'])
    .execute()
  const ages = returns.map((one) => Math.round((one.returned_at - one.received_at) / 86_400_000))
  expect(new Set(ages).size).toBeGreaterThan(2)
  const caps = await db.selectFrom('caps').select(['weekdays', 'holidays']).execute()
  expect(caps.map(({ weekdays }) => weekdays)).toEqual(['12345', ''])
  const byCampaign = await db
    .selectFrom('lead_index')
    .select(['affiliate', 'campaign', 'source'])
    .where('affiliate', 'is not', null)
    .execute()
  const named = byCampaign.filter(({ campaign, source }) => campaign !== null && source !== null)
  expect(named.length / byCampaign.length).toBeGreaterThan(0.7)
  expect(named.length).toBeLessThan(byCampaign.length)
  expect(new Set(named.map(({ campaign }) => campaign)).size).toBeGreaterThan(2)
  const span = { first: 0, last: Date.now(), filter: {} }
  const figures = makeFunnelFigures(await store.funnel.visits(span), [])
  const medians = figures.steps.map(({ medianMs }) => medianMs)
  expect(new Set(medians).size, `${medians}`).toBe(4)
  for (const { medianMs = 0, p90Ms = 0 } of figures.steps)
    expect(p90Ms / medianMs).toBeGreaterThan(1.8)
  const times = await db.selectFrom('leads').select('received_at').execute()
  expect(times.filter((time) => !Number.isInteger(time.received_at))).toEqual([])
  await expect(makeDemoData()).rejects.toThrow(/ has [\d,]+ leads. Nothing was done/)
})

test('a folder of the demo appears once it is full, whatever an interrupted run has left', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'demo-'))
  onTestFinished(() => rm(parent, { recursive: true }))
  await mkdir(join(parent, 'demo.unfinished'))
  await writeFile(join(parent, 'demo.unfinished/leads.sqlite'), 'half a file')
  const folder = join(parent, 'demo')
  await makeDemoFolder(folder, 3)
  expect(await readdir(parent)).toEqual(['demo'])
  const store = await openStore({ dataDir: folder })
  onTestFinished(() => store.close())
  expect(await store.mode()).toBe('demo')
  expect((await store.leadReader.stats(Date.now())).leads).toBeGreaterThan(150)
})

describe.each(storePlaces)('a store on $name', ({ makePlace }) => {
  test('remembers that production has used it, whatever mode a server starts in later', async () => {
    const place = await makePlace()
    onTestFinished(() => place.remove())
    const { dataDir, databaseUrl } = place.settings
    const settings = { DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) }
    const store = await openStore(place.settings)
    onTestFinished(() => store.close())
    await store.migrate()
    expect(await store.mode()).toBeUndefined()
    await (await startInProcess(settings)).stop()
    expect(await store.mode()).toBe('demo')
    await store.rememberMode('production')
    await (await startInProcess(settings)).stop()
    expect(await store.mode()).toBe('production')
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
    vi.stubEnv('APP_MODE', 'demo')
    onTestFinished(() => void vi.unstubAllEnvs())
    vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    onTestFinished(() => void vi.restoreAllMocks())
    await expect(makeDemoData()).rejects.toThrow('is a production store. Nothing was done')
  })
})
