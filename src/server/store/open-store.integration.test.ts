import { once } from 'node:events'
import { statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { sql } from 'kysely'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { assertMigrated, migrateStore } from '#server/platform/database/migrations/migrate-store.ts'
import { openSqlite } from '#server/platform/database/sqlite/open-sqlite.ts'
import { openLeadDatabase } from '#server/platform/database/store-state.ts'
import { StoreUnavailableError } from '#server/platform/faults/database-errors.ts'
import { selfSigned } from '#tests/faults/self-signed.ts'
import { startFaultyLine } from '#tests/postgres/faulty-line.ts'
import { freshDatabase } from '#tests/postgres/fresh-database.ts'
import { runStatements } from '#tests/postgres/run-statements.ts'
import { exampleArrival, exampleTime } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { runStoreProcesses } from '#tests/store/run-store-processes.ts'
import { postgresPlace, sqlitePlace, storePlaces, usePlace } from '#tests/store/store-places.ts'
import { openStore } from './open-store.ts'

describe.each(storePlaces)('opening a store on $name', ({ makePlace }) => {
  const place = usePlace(makePlace)

  test('three processes that start at once on a new store all succeed', async () => {
    expect(await runStoreProcesses(3, 'migrate', place.settings())).toHaveLength(3)
    const store = await place.open()
    await store.intake.accept(exampleArrival())
  })

  test('a store is ready after its migration, and no longer after closing', async () => {
    // A store caches its readiness for a second, so this test opens one store for each answer.
    const [unmigrated, migrated, closed] = [
      await openStore(place.settings()),
      await openStore(place.settings()),
      await openStore(place.settings()),
    ]
    await expect(unmigrated.ready()).rejects.toThrow('kysely_migration')
    await migrated.migrate()
    await migrated.ready()
    await closed.close()
    await expect(closed.ready()).rejects.toThrow()
    await Promise.all([unmigrated.close(), migrated.close()])
  })

  async function migrateAs(migration: string): Promise<void> {
    await place.open()
    const { dataDir, databaseUrl } = place.settings()
    const { db, close } = await openLeadDatabase(dataDir, databaseUrl)
    const row = { name: migration, timestamp: '2030-01-01' }
    await db.insertInto('kysely_migration').values(row).execute()
    await close()
  }

  test('an older release starts on a store that a later one has migrated', async () => {
    await migrateAs('9999-later')
    const store = await place.open()
    await store.ready()
    await store.intake.accept(exampleArrival())
  })

  test('a release that is too old for the store refuses to start and names the required one; a running one is not ready', async () => {
    const running = await place.open()
    await migrateAs('9998-needs-2.0.0-drop-an-old-column')
    const words = /can no longer use it\. Start version 2\.0\.0 or later\. To go back/
    await expect(place.open()).rejects.toThrow(StoreUnavailableError)
    await expect(place.open()).rejects.toThrow(words)
    await expect(running.ready()).rejects.toThrow(words)
  })
})

describe('a SQLite store', () => {
  const place = usePlace(sqlitePlace)

  test('is private to its user', async () => {
    const dataDir = join(place.settings().dataDir, 'made', 'anew')
    const store = await openStore({ dataDir })
    await store.migrate()
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    expect(statSync(join(dataDir, 'leads.sqlite')).mode & 0o777).toBe(0o600)
    expect(statSync(join(dataDir, 'leads.sqlite-wal')).mode & 0o777).toBe(0o600)
    await store.close()
  })

  test('writes ahead, waits for the disk, keeps its references and waits for other processes', async () => {
    const { db } = await openSqlite(place.settings().dataDir)
    onTestFinished(() => db.destroy())
    const pragma = async (name: string) =>
      Object.values(
        (await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(db)).rows[0] ?? {},
      )
    expect(await pragma('journal_mode')).toEqual(['wal'])
    expect(await pragma('synchronous')).toEqual([2])
    expect(await pragma('foreign_keys')).toEqual([1])
    expect(await pragma('busy_timeout')).toEqual([1000])
  })

  test('is not ready while a migration is missing', async () => {
    const { db } = await openSqlite(place.settings().dataDir)
    onTestFinished(() => db.destroy())
    await migrateStore(db)
    await assertMigrated(db)
    await db.deleteFrom('kysely_migration').execute()
    await expect(assertMigrated(db)).rejects.toThrow('lacks migrations of this version')
  })

  test('an error names the unusable folder and what to change', async () => {
    const file = join(place.settings().dataDir, 'a-file')
    writeFileSync(file, '')
    await expect(openStore({ dataDir: join(file, 'data') })).rejects.toThrow(
      /data folder .*a-file\/data cannot be used \(ENOTDIR.*DATA_DIR/,
    )
  })

  test('refuses a file that is not a database', async () => {
    const { dataDir } = place.settings()
    writeFileSync(join(dataDir, 'leads.sqlite'), 'not a database, but long enough to look at')
    await expect(openStore({ dataDir })).rejects.toThrow(
      /leads\.sqlite is damaged or is not a store .*not a database.*Copy the folder/,
    )
  })
})

describe('a PostgreSQL store', () => {
  const place = useKeptStores(postgresPlace)
  const urlOf = () => new URL(place.settings().databaseUrl ?? '')

  test.each([
    ['a port where nobody listens', { port: '1' }, 'ECONNREFUSED'],
    ['a wrong password', { password: 'open-sesame' }, '28P01'],
    ['a database that is not there', { pathname: '/nowhere' }, '3D000'],
  ])('%s is reported without the password', async (_name, change, code) => {
    const url = Object.assign(urlOf(), change)
    const fault = await openStore({ dataDir: '', databaseUrl: url.href }).catch(String)
    expect(fault).toContain(`PostgreSQL at ${url.host}${url.pathname} cannot be used (${code}`)
    expect(fault).not.toContain(url.password)
  })

  test('an invalid address is reported without its text', async () => {
    const databaseUrl = 'mysql://user:open-sesame@host/db'
    await expect(openStore({ dataDir: '', databaseUrl })).rejects.toThrow(
      'DATABASE_URL must be a postgres:// URL.',
    )
  })

  test('a certificate that nobody known has signed leads to the advice to name the authority', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      // PostgreSQL answers the request for TLS with one byte.
      socket.once('data', () => {
        socket.write('S')
        new TLSSocket(socket, { isServer: true, ...selfSigned }).on('error', () => {})
      })
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const databaseUrl = `postgres://leads:open-sesame@127.0.0.1:${port}/leads?sslmode=require`
    await expect(openStore({ dataDir: '', databaseUrl })).rejects.toThrow(
      /\(DEPTH_ZERO_SELF_SIGNED_CERT: .*add sslrootcert=<file with the authority’s certificate> to DATABASE_URL\.$/,
    )
  })

  test('a server that does not wait for its disk is refused', async () => {
    const { url, drop } = await freshDatabase(inject('postgresUrl'))
    onTestFinished(drop)
    const name = new URL(url).pathname.slice(1)
    await runStatements(url, `alter database ${name} set synchronous_commit = off`)
    await expect(openStore({ dataDir: '', databaseUrl: url })).rejects.toThrow('synchronous_commit')
  })

  describe.each([
    ['before', 'insert into "leads"'],
    ['after', 'insert into "leads"'],
    ['before', 'commit'],
    ['after', 'commit'],
  ] as const)('a connection lost %s the server gets %s', (when, statement) => {
    async function behindLine() {
      await place.open()
      const line = await startFaultyLine(urlOf().href)
      onTestFinished(line.close)
      const store = await openStore({ dataDir: '', databaseUrl: line.url })
      onTestFinished(store.close)
      const lose = () => line.severAt([statement], when)
      return { store, lose }
    }

    test('goes unnoticed by the visitor', async () => {
      const { store, lose } = await behindLine()
      const lost = lose()
      const arrival = exampleArrival()
      const accepted = {
        id: arrival.lead.id,
        repeated: false,
        duplicateOf: null,
        corrects: null,
      }
      expect(await store.intake.accept(arrival)).toEqual(accepted)
      await lost
      expect(await store.leadReader.stats(exampleTime)).toMatchObject({
        leads: 1,
        byStatus: { pending: 1 },
      })
    })

    test('twice rejects the enquiry, and a retry with the same key succeeds', async () => {
      const { store, lose } = await behindLine()
      lose().then(lose)
      const arrival = exampleArrival()
      await expect(store.intake.accept(arrival)).rejects.toThrow(
        'connection to PostgreSQL was lost',
      )
      expect(await store.intake.accept(arrival)).toMatchObject({ id: arrival.lead.id })
      expect(await store.leadReader.stats(exampleTime)).toMatchObject({ leads: 1 })
    })
  })

  test('starts on one connection, whose opening may take 15 s on a busy server', async () => {
    await place.open()
    const store = await openStore({ ...place.settings(), server: 'web, a test of the start' })
    onTestFinished(store.close)
    await store.migrate()
    const { db, close } = await openLeadDatabase('', urlOf().href)
    onTestFinished(close)
    const { rows } = await sql`select pid from pg_stat_activity
      where application_name = 'campus-enquiry web, a test of the start'`.execute(db)
    expect(rows).toHaveLength(1)
  })

  test('makes PostgreSQL end the sessions of a dead client within half a minute', async () => {
    const { db, close } = await openLeadDatabase('', urlOf().href)
    onTestFinished(close)
    const { rows } = await sql`
      select name, setting from pg_settings where name like 'tcp%' order by name`.execute(db)
    expect(rows).toEqual([
      { name: 'tcp_keepalives_count', setting: '3' },
      { name: 'tcp_keepalives_idle', setting: '10' },
      { name: 'tcp_keepalives_interval', setting: '5' },
      { name: 'tcp_user_timeout', setting: '25000' },
    ])
  })

  test('survives PostgreSQL ending its connections, including idle ones', async () => {
    const store = await place.open()
    await Promise.all([1, 2, 3].map(() => store.leadReader.stats(exampleTime)))
    await runStatements(
      inject('postgresUrl'),
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = '${urlOf().pathname.slice(1)}'`,
    )
    await expect.poll(() => store.ready().then(() => 'ready', String)).toBe('ready')
    await store.intake.accept(exampleArrival())
  })
})
