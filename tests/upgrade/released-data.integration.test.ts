import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { Client } from 'pg'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { leadStatuses } from '#domain/lead/lead-status.ts'
import { indexLeadsOfPreviousVersion } from '#server/leads/lead-index-rows.ts'
import { toLeadSummary } from '#server/leads/read-leads.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'
import { openStore } from '#server/store/open-store.ts'
import { runLeads } from '#tests/cli/run-leads.ts'
import { until } from '#tests/patience/until.ts'
import { freshDatabase } from '#tests/postgres/fresh-database.ts'
import { runStatements } from '#tests/postgres/run-statements.ts'
import { runToEnd } from '#tests/product/run-to-end.ts'
import { releaseLead, retryLead } from '#tests/store/act-on-leads.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { exampleArrival, exampleTime } from '#tests/store/example-arrival.ts'
import { partsThatFindNothing } from '#tests/store/fitting-filter.ts'
import { sqlitePlace, storePlaces, usePlace } from '#tests/store/store-places.ts'
import { withDatabase } from '#tests/store/with-database.ts'
import { loadRelease, releasesFolder } from './load-release.ts'

const changelog = readFileSync(resolve(import.meta.dirname, '../../CHANGELOG.md'), 'utf8')
const [, ...releasedBefore] = [...changelog.matchAll(/^## (\S+)$/gm)].map(([, version]) => version)
const kept = readdirSync(releasesFolder)

test('tests/upgrade/data has the data of every earlier release (tests/upgrade/keep-data.ts)', () => {
  expect(kept).toEqual(expect.arrayContaining(releasedBefore))
})

const tooOld = '0.1.0'
const readable = kept.filter((version) => version !== tooOld)
const cases = readable.flatMap((version) => storePlaces.map((place) => ({ version, ...place })))

describe.each(cases)('the data of $version on $name', ({ version, makePlace }) => {
  const place = usePlace(makePlace)
  const now = exampleTime

  test('can be found by each part of a filter', async () => {
    await loadRelease(version, place.settings())
    const store = await place.open()
    await store.ready()
    // 0.2.0 kept no attribution, and the links of the other leads have neither a medium nor a content.
    const touch = version === '0.2.0' ? ['source', 'campaign'] : []
    const lacking = [...touch, 'medium', 'content']
    expect((await partsThatFindNothing(store)).toSorted()).toEqual(lacking.toSorted())
  })

  // A new column of the index needs its value for leads that a release stored before.
  test('is indexed as if this release had stored it', async () => {
    await loadRelease(version, place.settings())
    const store = await place.open()
    await store.ready()
    const read = async () => {
      while ((await indexLeadsOfPreviousVersion(store.database.db, 100)) > 0);
      return askStore(place.settings(), 'select * from lead_index order by lead_id')
    }
    const before = await read()
    await withDatabase(place.settings(), async (db) => {
      await sql`insert into leads_to_index (lead_id) select id from leads`.execute(db)
    })
    expect(before.length).toBeGreaterThan(5)
    expect(await read()).toEqual(before)
  })

  // After a rollback, that release would run a migration that a new store doesn't list.
  test('has no migration that a new store lacks', async () => {
    const done = async () =>
      (await askStore(place.settings(), 'select name from kysely_migration')).map(
        ({ name }) => name,
      )
    await loadRelease(version, place.settings())
    const ofRelease = await done()
    const fresh = await makePlace()
    onTestFinished(fresh.remove)
    const store = await openStore(fresh.settings)
    onTestFinished(() => store.close())
    await store.migrate()
    const ofNew = await askStore(fresh.settings, 'select name from kysely_migration')
    expect(ofNew.map(({ name }) => name)).toEqual(expect.arrayContaining(ofRelease))
  })

  test('is read, delivered and changed like new data', async () => {
    await loadRelease(version, place.settings())
    const store = await place.open()
    await store.ready()
    const listed = (await store.leadReader.page({ now, take: 100 })).map(toLeadSummary)
    // Those releases had no list of people who asked not to be contacted.
    const known = leadStatuses.filter((status) => status !== 'do-not-contact')
    expect(listed.map(({ status }) => status)).toEqual(known.reverse())
    const idOf = Object.fromEntries(listed.map(({ status, id }) => [status, id]))
    for (const { id, status } of listed) {
      const { lead } = (await store.leadReader.find(id, now)) ?? {}
      expect(lead).toMatchObject(status === 'erased' ? { id } : { id, firstName: 'Zoë' })
    }

    const today = exampleArrival()
    expect(await store.intake.accept(today)).toMatchObject({ repeated: false })
    expect(await releaseLead(store, idOf.quarantined ?? '', now)).toMatchObject({
      kind: 'due',
    })
    expect(await retryLead(store, idOf.dead ?? '', now)).toMatchObject({ kind: 'due' })
    const later = now + 600_000
    const claimed = await store.queue.claimDue({ now: later, leaseUntil: later + 1, limit: 100 })
    const owed = [idOf.pending, idOf.leased, idOf.quarantined, idOf.dead, today.lead.id]
    expect(claimed.map(({ lead }) => lead.id).toSorted()).toEqual(owed.toSorted())
    expect(await store.readSharedSecret('proof of work')).toBe('of that release')
    await store.erasure.erase(toEmailAddress('rejected@example.com'), now)
    expect(await store.leadReader.find(idOf.rejected ?? '', now)).toMatchObject({
      status: 'erased',
    })
  })
})

test('while this release migrates, 0.2.0 can finish a transaction that reads leads and changes their index', async () => {
  const { url, drop } = await freshDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  // Otherwise, PostgreSQL would end a deadlock, and the migration would be retried unnoticed.
  await runStatements(
    url,
    `alter database ${new URL(url).pathname.slice(1)} set deadlock_timeout = '10min'`,
  )
  const settings = { dataDir: '', databaseUrl: url }
  await loadRelease('0.2.0', settings)
  const store = await openStore(settings)
  onTestFinished(() => store.close())
  const former = new Client({ connectionString: url })
  await former.connect()
  onTestFinished(() => former.end())
  await former.query("set lock_timeout = '2s'; begin; select id from leads")
  const migrated = store.migrate()
  const waiting = `select 1 from pg_locks where not granted and database = (
    select oid from pg_database where datname = current_database())`
  await until(async () => (await askStore(settings, waiting)).length > 0)
  await former.query('update lead_index set attempts = attempts')
  await former.query('commit')
  await migrated
})

test('the server and commands of an old release name the release to start', async () => {
  const { settings, remove } = await sqlitePlace()
  onTestFinished(remove)
  const { dataDir } = settings
  await loadRelease('0.2.0', settings)
  const database = new DatabaseSync(join(dataDir, 'leads.sqlite'))
  database.exec(
    "insert into kysely_migration values ('9999-needs-1.0.0-no-old-columns', '2030-01-01')",
  )
  database.close()
  const words = 'can no longer use it. Start version 1.0.0 or later.'
  const server = await runToEnd({
    DATA_DIR: dataDir,
    PORT: '0',
    SANDBOX_PORT: '0',
    CONSOLE_PORT: '0',
  })
  expect(server).toMatchObject({ code: 1, stdout: '' })
  expect(server.stderr).toMatch(/^The product cannot start\. A later version has changed the store/)
  expect(server.stderr).toContain(words)
  const verb = await runLeads(settings, ['stats'])
  expect(verb.code).toBe(69)
  expect(verb.stdout).not.toContain('pending')
  expect(verb.stderr).toContain(words)
  expect(verb.stderr).not.toMatch(/^ +at /m)
})

describe.each(storePlaces)('a store of 0.1.0 on $name', ({ makePlace }) => {
  const place = usePlace(makePlace)

  test('is refused and stays unchanged, and the error names the release to start first', async () => {
    await loadRelease(tooOld, place.settings())
    const store = await openStore(place.settings())
    onTestFinished(() => store.close())
    const words =
      'A version before 0.2.0 used this store last, and this version cannot read the store. Nothing was changed. Start version 0.2.0 on the store once, and then start this version.'
    await expect(store.migrate()).rejects.toThrow(words)
    await expect(store.ready()).rejects.toThrow(words)
    expect(
      await askStore(place.settings(), 'select name from kysely_migration'),
    ).not.toContainEqual({ name: '0022-since-release-0.2.0' })
    const server = await runToEnd({
      DATA_DIR: place.settings().dataDir,
      DATABASE_URL: place.settings().databaseUrl ?? '',
      PORT: '0',
      SANDBOX_PORT: '0',
      CONSOLE_PORT: '0',
    })
    expect(server).toMatchObject({ code: 1, stdout: '' })
    expect(server.stderr).toBe(`The product cannot start. ${words}\n`)
    const command = await runLeads(place.settings(), ['stats'])
    expect(command.code).toBe(69)
    expect(command.stderr).toContain(words)
  })
})
