// Run this before a release is tagged: node tests/upgrade/keep-data.ts
// It keeps the release's stored data, with a lead of every status on each database, and its sent data in
// tests/upgrade/data/<version>. Later releases are tested with it, and it is never changed. It needs PostgreSQL's
// pg_dump.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openStore, type StoreSettings } from '#server/store/open-store.ts'
import packageManifest from '../../package.json' with { type: 'json' }
import { startPostgres } from '../postgres/start-postgres.ts'
import { toolPath } from '../programs/tool-path.ts'
import { storeLeadOfEachStatus } from '../store/lead-of-each-status.ts'
import { payloadsIn, sentOf } from './sent-of.ts'

const folder = resolve(import.meta.dirname, 'data', packageManifest.version)
mkdirSync(folder)

const dataDir = mkdtempSync(join(tmpdir(), 'kept-'))
await fill({ dataDir })
const sqlite = sqliteDump(join(dataDir, 'leads.sqlite'))
writeFileSync(join(folder, 'sqlite.sql'), sqlite)
const sent = payloadsIn(sqlite).map(sentOf)
writeFileSync(join(folder, 'sent.json'), `${JSON.stringify(sent, null, 2)}\n`)
rmSync(dataDir, { recursive: true })

const postgres = await startPostgres()
await fill({ dataDir: '', databaseUrl: postgres.url })
const options = [
  '--inserts',
  '--quote-all-identifiers',
  '--no-owner',
  '--no-privileges',
  `--dbname=${postgres.url}`,
]
const dump = execFileSync(join(toolPath('postgres'), 'pg_dump'), options, { encoding: 'utf8' })
// psql's own commands (from 15.14 on) are not SQL. Names are qualified, so the session's search path can stay.
const statements = dump.replace(/^(\\|SELECT pg_catalog.set_config\('search_path').*\n/gm, '')
writeFileSync(join(folder, 'postgresql.sql'), statements)
await postgres.stop()

async function fill(settings: StoreSettings): Promise<void> {
  const store = await openStore(settings)
  await store.migrate()
  await storeLeadOfEachStatus(store)
  const secret = { name: 'proof of work', value: 'of that release' }
  await store.database.db.insertInto('secrets').values(secret).execute()
  await store.close()
}

function sqliteDump(file: string): string {
  const database = new DatabaseSync(file)
  const made = database
    .prepare(
      "select name, type, sql from sqlite_master where sql is not null and name not like 'sqlite%'",
    )
    .all()
  const rows = made
    .filter(({ type }) => type === 'table')
    .flatMap(({ name }) =>
      database
        .prepare(`select * from "${name}"`)
        .all()
        .map(
          (row) => `insert into "${name}" values (${Object.values(row).map(literal).join(', ')})`,
        ),
    )
  database.close()
  // Triggers come last, because they would add rows while the kept rows are inserted.
  const sqlOf = (isTrigger: boolean) =>
    made.filter(({ type }) => (type === 'trigger') === isTrigger).map(({ sql }) => sql)
  return ['pragma foreign_keys = off', ...sqlOf(false), ...rows, ...sqlOf(true)]
    .map((statement) => `${statement};\n`)
    .join('')
}

function literal(value: unknown): string {
  if (value === null) return 'null'
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}
