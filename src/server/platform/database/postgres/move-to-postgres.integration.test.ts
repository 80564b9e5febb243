import { sql } from 'kysely'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { makeDoNotContactActions } from '#server/delivery/manage-do-not-contact.ts'
import type { LeadArrival } from '#server/enquiries/lead-arrival.ts'
import { openStore, type Store, type StoreSettings } from '#server/store/open-store.ts'
import { until } from '#tests/patience/until.ts'
import { freshDatabase } from '#tests/postgres/fresh-database.ts'
import { runStatements } from '#tests/postgres/run-statements.ts'
import { releaseLead } from '#tests/store/act-on-leads.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { exampleArrival, exampleTime } from '#tests/store/example-arrival.ts'
import { storeLeadOfEachStatus } from '#tests/store/lead-of-each-status.ts'
import { sqlitePlace, usePlace } from '#tests/store/store-places.ts'
import { moveToPostgres } from './move-to-postgres.ts'

const now = exampleTime
const choice = { now, take: 100 }

describe('moving to PostgreSQL', () => {
  const place = usePlace(sqlitePlace)

  async function emptyDatabase(): Promise<string> {
    const { url, drop } = await freshDatabase(inject('postgresUrl'))
    onTestFinished(drop)
    return url
  }

  async function fillSource(fill: (store: Store) => Promise<unknown>): Promise<void> {
    const store = await openStore(place.settings())
    await store.migrate()
    await fill(store)
    await store.close()
  }

  async function openTarget(databaseUrl: string): Promise<Store> {
    const store = await openStore({ dataDir: '', databaseUrl })
    onTestFinished(() => store.close())
    return store
  }

  const move = (
    databaseUrl: string,
    onProgress: (done: number, total: number) => void = () => {},
  ) => moveToPostgres({ ...place.settings(), databaseUrl, now, onProgress })

  test('copies every lead with consent, delivery and attempts, and the held deliveries', async () => {
    const url = await emptyDatabase()
    await fillSource(async (store) => {
      await storeLeadOfEachStatus(store)
      await store.breaker.pause({ reason: 'moving', at: now })
    })
    const outcome = await move(url)
    expect(outcome).toMatchObject({ kind: 'copied' })
    const target = await openTarget(url)
    const source = await place.open()
    const leads = await source.leadReader.page(choice)
    expect(leads).toHaveLength(9)
    expect(await target.leadReader.page(choice)).toEqual(leads)
    for (const { lead } of leads) {
      expect(await target.leadReader.find(lead.id, now)).toEqual(
        await source.leadReader.find(lead.id, now),
      )
    }
    expect(await target.breaker.read()).toMatchObject({
      pause: { reason: 'moving' },
    })
    const again = await target.intake.accept(exampleArrival({ email: 'pending@example.com' }))
    expect(again.duplicateOf).not.toBeNull()
  })

  test('a released lead may be a duplicate of a newer one', async () => {
    const url = await emptyDatabase()
    await fillSource(async (store) => {
      const suspicious = (email: string): LeadArrival => ({
        ...exampleArrival({ email }),
        signals: ['too-fast'],
        isQuarantined: true,
      })
      const [ada, bea] = [suspicious('ada@example.com'), suspicious('bea@example.com')]
      await store.intake.accept(ada)
      await store.intake.accept(bea)
      // The corrected lead is also the duplicate's original, so the two leads refer to each other.
      const changed = { email: 'bea@example.com', address: '2 Palm Avenue' }
      await store.intake.accept(exampleArrival(changed, bea.idempotencyKey))
      // These are more leads than one insert statement carries.
      await Promise.all(Array.from({ length: 600 }, () => store.intake.accept(exampleArrival())))
      await store.intake.accept(exampleArrival({ email: 'ada@example.com' }))
      for (const { lead } of [ada, bea]) await releaseLead(store, lead.id, now)
    })
    expect(await move(url)).toMatchObject({ kind: 'copied' })
    expect(await move(url)).toMatchObject({ kind: 'already there' })
    expect(await (await openTarget(url)).leadReader.stats(now)).toMatchObject({
      byStatus: { pending: 602, duplicate: 2 },
    })
  })

  test('copies thousands of leads in order, and reports progress', async () => {
    const url = await emptyDatabase()
    await fillSource((store) =>
      Promise.all(Array.from({ length: 1900 }, () => store.intake.accept(exampleArrival()))),
    )
    const steps: number[] = []
    let all = 0
    await move(url, (done, total) => {
      steps.push(done)
      all = total
    })
    expect(steps).toEqual(steps.toSorted((a, b) => a - b))
    expect(steps.at(-1)).toBe(all)
    const target = await openTarget(url)
    expect(await target.leadReader.stats(now)).toMatchObject({
      leads: 1900,
      byStatus: { pending: 1900 },
    })
    // Plans for tables that PostgreSQL takes for empty read whole indexes.
    const { rows } =
      await sql`select reltuples as rows from pg_class where relname = 'lead_index'`.execute(
        target.database.db,
      )
    expect(rows).toEqual([{ rows: 1900 }])
  })

  const serve = async (settings: StoreSettings) => {
    const store = await openStore({ ...settings, server: 'all' })
    await store.migrate().finally(() => store.close())
  }

  test('no server starts on the old store', async () => {
    const url = await emptyDatabase()
    await fillSource((store) => store.intake.accept(exampleArrival()))
    await move(url)
    const { host, pathname } = new URL(url)
    await expect(serve(place.settings())).rejects.toThrow(
      `leads.sqlite were moved to ${host}${pathname} at ${new Date(now).toISOString()}.`,
    )
    await serve({ dataDir: '', databaseUrl: url })
    const source = await place.open()
    expect(await source.state()).toMatchObject({
      leads: 1,
      movedTo: { place: host + pathname, at: now },
    })
    await source.close()
    expect(await move(await emptyDatabase())).toMatchObject({
      kind: 'moved before',
      to: { at: now },
    })
  })

  const differing = {
    kind: 'target differs',
    tables: ['lead_index', 'leads', 'deliveries', 'consents', 'enquirers', 'lead_keys'],
  }

  test('a second move copies nothing; it refuses if the target has changed', async () => {
    const url = await emptyDatabase()
    await fillSource(storeLeadOfEachStatus)
    const first = await move(url)
    expect(await move(url)).toEqual({ ...first, kind: 'already there' })
    const target = await openTarget(url)
    expect(await target.leadReader.stats(now)).toMatchObject({ leads: 9 })
    await target.intake.accept(exampleArrival())
    expect(await move(url)).toEqual(differing)
  })

  test('people not to contact are still known after a move', async () => {
    const url = await emptyDatabase()
    await fillSource(async ({ database, operators, audit }) => {
      const list = makeDoNotContactActions({ ...database, ...operators, audit, clock: () => now })
      await list.stop({ kind: 'command line', user: 'ada' }, [{ email: 'ada@example.com' }])
    })
    await move(url)
    const target = await openTarget(url)
    const { found } = await target.intake.accept(exampleArrival({ email: 'Ada@example.com' }))
    expect(found).toEqual(['do-not-contact'])
  })

  test('refuses if the source has changed', async () => {
    const url = await emptyDatabase()
    await fillSource(storeLeadOfEachStatus)
    await move(url)
    await fillSource((store) => store.intake.accept(exampleArrival()))
    expect(await move(url)).toEqual(differing)
  })

  test('copies again after the target was emptied', async () => {
    const url = await emptyDatabase()
    await fillSource(storeLeadOfEachStatus)
    await move(url)
    await runStatements(url, 'drop schema public cascade; create schema public')
    expect(await move(url)).toMatchObject({ kind: 'copied' })
  })

  test('an idle server is found in the database', async () => {
    const url = await emptyDatabase()
    const server = await openStore({ dataDir: '', databaseUrl: url, server: 'web' })
    onTestFinished(() => server.close())
    const command = await openTarget(url)
    await command.migrate()
    // A command's unused connections are closed after a while; the server keeps one open.
    const target = { dataDir: '', databaseUrl: url }
    const names = `select distinct application_name as name from pg_stat_activity
      where datname = current_database() and application_name like 'campus%'`
    await until(async () => (await askStore(target, names)).length === 1)
    expect(await command.state()).toMatchObject({ servers: [{ name: 'web' }] })
  })

  test('if PostgreSQL changes a value, the move fails and stores nothing', async () => {
    const url = await emptyDatabase()
    await fillSource(storeLeadOfEachStatus)
    const target = await openTarget(url)
    await target.migrate()
    await runStatements(
      url,
      `create function spoil() returns trigger language plpgsql as $$ begin new.page_url = 'x'; return new; end $$;
       create trigger spoil before insert on consents for each row execute function spoil()`,
    )
    await expect(move(url)).rejects.toThrow(
      /rows of consents while it stored them\. Nothing was kept/,
    )
    expect(await target.leadReader.stats(now)).toMatchObject({ leads: 0 })
  })

  test('a target with an operator but no leads is refused', async () => {
    const url = await emptyDatabase()
    await fillSource(storeLeadOfEachStatus)
    await (await openTarget(url)).migrate()
    await runStatements(
      url,
      `insert into operators values ('o', 'ada@example.com', 'admin', 0, null)`,
    )
    expect(await move(url)).toMatchObject({
      kind: 'target differs',
      tables: expect.arrayContaining(['operators']),
    })
  })

  test('refuses while another process has the file open', async () => {
    const url = await emptyDatabase()
    await place.open()
    expect(await move(url)).toEqual({ kind: 'source in use' })
  })

  test('creates no store', async () => {
    expect(await move(await emptyDatabase())).toEqual({ kind: 'no source' })
  })

  test('copies the history of earlier releases, but no session or secret', async () => {
    const url = await emptyDatabase()
    await fillSource(storeLeadOfEachStatus)
    const { tables } = (await move(url)) as { tables: readonly { name: string }[] }
    const names = tables.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['affiliates', 'audit', 'delivery_endings']))
    for (const name of ['operator_sessions', 'secrets', 'moves']) expect(names).not.toContain(name)
  })
})
