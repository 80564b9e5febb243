import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAffiliateActions } from '#server/affiliates/manage-affiliates.ts'
import { openStore } from '#server/store/open-store.ts'
import { sayVerb } from '#tests/cli/say-verb.ts'
import { settleLead } from '#tests/store/act-on-leads.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'

const actor = { kind: 'command line', user: 'ada' } as const
const october = Date.UTC(2025, 9, 15, 12)
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'money-'))
  const store = await openStore({ dataDir })
  await store.migrate()
  const context = { ...store.operators, audit: store.audit, clock: () => october }
  const zone = 'America/New_York'
  const details = { name: 'Acme', ids: ['a7'], notes: '', payoutCents: 2050, postbackUrl: null }
  await makeAffiliateActions(context, { allowsLocal: false, zone }).save(actor, details)
  for (let lead = 0; lead < 2; lead++) {
    const arrival = exampleArrival({ receivedAt: october, subId: 'a7' })
    await store.intake.accept(arrival)
    await settleLead(store, arrival.lead.id, 'delivered', october)
  }
  await store.close()
})
afterAll(() => rm(dataDir, { recursive: true }))

const say = (...args: string[]) => sayVerb({ dataDir }, args)
const month = ['--month', '2025-10']

test('a statement is listed, shown and closed once', async () => {
  const shown = await say('statements', 'show', 'a7', ...month, '--json')
  const open = { month: '2025-10', accepted: 2, returned: 0, reversed: 0, owedCents: 4100 }
  expect(JSON.parse(shown.stdout)).toMatchObject({ ...open, name: 'Acme', closed: false })
  expect((await say('statements', 'list', ...month)).stdout).toMatch(
    /Acme +2 +0 +0 +\$41\.00 +open/,
  )
  expect(await say('statements', 'close', 'a7', ...month)).toMatchObject({ code: 0 })
  const again = await say('statements', 'close', 'a7', ...month)
  expect(again).toMatchObject({ code: 1 })
  expect(again.stderr).toContain('is already closed')
  const closed = await say('statements', 'show', 'a7', ...month, '--json')
  expect(JSON.parse(closed.stdout)).toMatchObject({ ...open, closed: true })
  expect(await say('statements', 'show', 'a9', ...month)).toMatchObject({ code: 1 })
})

test('a payout counts from its day on, and is replaced before that day', async () => {
  const set = (...args: string[]) => say('affiliates', 'set', 'a7', '--payout', ...args)
  expect(await set('40', '--from', '2036-12-01')).toMatchObject({ code: 0 })
  const shown = JSON.parse((await say('affiliates', 'show', 'a7', '--json')).stdout)
  expect(shown).toMatchObject({ payoutCents: 2050 })
  expect(await set('41', '--from', '2036-12-01')).toMatchObject({ code: 0 })
  expect(await set('50', '--from', '2036-12-01', '--program', '15')).toMatchObject({ code: 0 })
  expect(await set('50', '--from', '2036-13-01')).toMatchObject({ code: 2 })
  // A program’s own payout can end, but no slip ends the payout of all programs.
  expect(await set('', '--from', '2036-12-02', '--program', '15')).toMatchObject({ code: 0 })
  for (const from of [[], ['--from', '2036-12-02']]) {
    const refused = await set('', ...from)
    expect(refused).toMatchObject({ code: 2 })
    expect(refused.stderr).toContain('--payout: Give an amount; 0.00 is one.')
  }
})

test('a revenue is set from a day on, and replaced', async () => {
  expect(await say('revenue', 'set', '60.00', '--from', '2036-01-01')).toMatchObject({ code: 0 })
  expect(await say('revenue', 'set', '61.00', '--from', '2036-01-01')).toMatchObject({ code: 0 })
  const past = await say('revenue', 'set', '1', '--from', '2025-12-31')
  expect(past).toMatchObject({ code: 2 })
  expect(past.stderr).toContain('--from: A revenue counts for leads accepted from its first day on')
  expect((await say('revenue', 'set', 'much')).stderr).toContain('such as 12.50')
  expect((await say('revenue', 'set', '')).stderr).toContain('Give an amount; 0.00 is one.')
  const unknown = await say('revenue', 'set', '60.00', '--program', '424242')
  expect(unknown).toMatchObject({ code: 2 })
  expect(unknown.stderr).toContain('catalogue/programs.csv has no program with this id')
})

test('a file of ad spend is imported once, or not at all', async () => {
  const file = join(dataDir, 'spend.csv')
  await writeFile(file, 'day,source,campaign,amount\n2025-10-01,google,brand,10\nsoon,google,,1\n')
  const refused = await say('spend', 'import', file)
  expect(refused).toMatchObject({ code: 1 })
  expect(refused.stderr).toContain('line 3: “soon” is not a day')
  await writeFile(file, 'Date,source,campaign,amount\n2025-10-01,google,brand,10\n')
  const missing = await say('spend', 'import', file)
  expect(missing.stderr).toContain('use --day <heading>')
  const imported = await say('spend', 'import', file, '--day', 'Date', '--json')
  expect(JSON.parse(imported.stdout)).toMatchObject({ recorded: 1, known: 0 })
  const again = await say('spend', 'import', file, '--json')
  expect(JSON.parse(again.stdout)).toMatchObject({ recorded: 0, known: 1 })
})

test.each([
  ['spend', 'import'],
  ['returns', 'import'],
  ['do-not-contact', 'import'],
])('%s %s refuses a device and a folder before reading it', async (...verb) => {
  for (const file of ['/dev/zero', dataDir]) {
    const refused = await say(...verb, file)
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.stderr).toContain('it is not a regular file')
  }
  const missing = await say(...verb, join(dataDir, 'missing.csv'))
  expect(missing.stderr).toContain('cannot be read (ENOENT). Nothing was changed.')
})

test('a file that is too large is refused before reading it', async () => {
  const file = join(dataDir, 'large.csv')
  await writeFile(file, ' '.repeat(2 * 1024 * 1024 + 1))
  const refused = await say('spend', 'import', file)
  expect(refused.stderr).toContain('(a file may have 2 megabytes: split it)')
})
