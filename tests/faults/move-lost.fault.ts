import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { openStore, type StoreSettings } from '#server/store/open-store.ts'
import { type EndedVerb, runLeads } from '#tests/cli/run-leads.ts'
import { commit, type FaultyLine, startFaultyLine } from '#tests/postgres/faulty-line.ts'
import { freshDatabase } from '#tests/postgres/fresh-database.ts'
import { startPostgres } from '#tests/postgres/start-postgres.ts'
import { exampleArrival, exampleTime } from '#tests/store/example-arrival.ts'
import { storeLeadOfEachStatus } from '#tests/store/lead-of-each-status.ts'

/** More than one batch of leads, so that a fault in the first batch is in the middle of the copy. */
const leads = 600
let filled = ''
let asItWas: Awaited<ReturnType<typeof served>>

beforeAll(async () => {
  filled = await mkdtemp(join(tmpdir(), 'to-move-'))
  const store = await openStore({ dataDir: filled })
  await store.migrate()
  const { length } = Object.keys(await storeLeadOfEachStatus(store))
  await Promise.all(
    Array.from({ length: leads - length }, () => store.intake.accept(exampleArrival())),
  )
  await store.close()
  asItWas = await served({ dataDir: filled })
  return () => rm(filled, { recursive: true })
})

async function storeToMove(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'moving-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  await cp(filled, dataDir, { recursive: true })
  return dataDir
}

async function lineTo(databaseUrl: string): Promise<FaultyLine> {
  const line = await startFaultyLine(databaseUrl)
  onTestFinished(line.close)
  return line
}

async function ownDatabase(): Promise<string> {
  const { url, drop } = await freshDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  return url
}

/** Starts a server of the product on the store, and resolves with the leads that it finds. */
async function served(settings: StoreSettings) {
  const store = await openStore({ ...settings, server: 'all' })
  try {
    await store.migrate()
    const { leads, byStatus } = await store.leadReader.stats(exampleTime)
    const { pause } = await store.breaker.read()
    return { leads, byStatus, pause }
  } finally {
    await store.close()
  }
}

/** Expects a sentence and the exit code for an unavailable database, without details for programmers. */
function expectSaid({ code, stdout, stderr }: EndedVerb): void {
  expect({ code, stdout }, stderr).toEqual({ code: 69, stdout: '' })
  expect(stderr).toMatch(/^PostgreSQL no longer answers \(.+\)\. .*[Rr]un this command again/s)
  expect(stderr).not.toMatch(/^ +at |node:|Error:/m)
}

interface Cut {
  /** The connection that sends all texts, one after the other, is cut at the last one. */
  readonly at: readonly string[]
  readonly cut: 'before' | 'after'
}

/** Runs the command over a connection that is cut meanwhile. */
async function cutOff({ at, cut }: Cut, line: FaultyLine, dataDir: string) {
  const [ended] = await Promise.all([
    runLeads({ dataDir, databaseUrl: line.url }, ['migrate-to']),
    line.severAt(at, cut),
  ])
  expectSaid(ended)
}

async function expectMoved({ dataDir, databaseUrl }: StoreSettings) {
  expect(await served({ dataDir: '', databaseUrl })).toEqual(asItWas)
  await expect(served({ dataDir })).rejects.toThrow('were moved to')
}

test('a move whose connection breaks changes nothing; after a commit without an answer, a second try finishes the move', async () => {
  const dataDir = await storeToMove()
  const line = await lineTo(await ownDatabase())
  // Committing the schema sends the same statement.
  const lastCommit = ['insert into "delivery_gate"', commit]
  const cuts: readonly Cut[] = [
    { at: ['create table leads'], cut: 'before' },
    { at: ['insert into "leads"'], cut: 'after' },
    { at: ['fetch 5000 from copied'], cut: 'after' },
    { at: lastCommit, cut: 'before' },
  ]
  for (const cut of cuts) {
    await cutOff(cut, line, dataDir)
    expect(await served({ dataDir }), cut.at.join()).toEqual(asItWas)
  }
  const place = { dataDir, databaseUrl: line.url }
  await cutOff({ at: lastCommit, cut: 'after' }, line, dataDir)
  const moved = await runLeads(place, ['migrate-to'])
  expect(moved).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^The leads are already there;/),
  })
  await expectMoved(place)
})

test('if PostgreSQL crashes during a move, the move succeeds once PostgreSQL is back', async () => {
  const postgres = await startPostgres()
  onTestFinished(postgres.stop)
  const dataDir = await storeToMove()
  const place = { dataDir, databaseUrl: postgres.url }
  const line = await lineTo(postgres.url)
  const [killed] = await Promise.all([
    runLeads({ dataDir, databaseUrl: line.url }, ['migrate-to']),
    line.sent('insert into "leads"').then(postgres.kill),
  ])
  expectSaid(killed)
  const away = await runLeads(place, ['migrate-to'])
  expect(away).toMatchObject({ code: 69, stdout: '' })
  expect(away.stderr).toMatch(/^PostgreSQL at .* cannot be used \(.*ECONNREFUSED/)
  expect(await served({ dataDir })).toEqual(asItWas)
  await postgres.restart()
  const moved = await runLeads(place, ['migrate-to'])
  expect(moved).toMatchObject({ code: 0, stdout: expect.stringMatching(/^The leads are copied;/) })
  await expectMoved(place)
})
