import { readdirSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { beforeAll, describe, expect, test } from 'vitest'
import { openLeadDatabase } from '#server/platform/database/store-state.ts'
import { type MakePlace, storePlaces } from '#tests/store/store-places.ts'
import { loadRelease } from '#tests/upgrade/load-release.ts'
import type { StoreTables } from '../tables/store-tables.ts'
import { baselineMigrations } from './baseline-migrations.ts'
import { migrations } from './migrate-store.ts'

/** The last migration of 0.2.0 and all later ones. */
const names = Object.keys(migrations).slice(Object.keys(baselineMigrations).length - 1)

/** Whether a migration's name says that it removes something. */
const mayTakeAway = (name: string): boolean => /^\d+-needs-/.test(name)

interface Schema {
  /** Keyed by `table.column`; true if an insert that omits the column is refused. */
  readonly columns: ReadonlyMap<string, boolean>
  readonly indexes: readonly string[]
  readonly triggers: readonly string[]
}

/** The schema after each migration, on one database. */
async function schemasOf(makePlace: MakePlace): Promise<ReadonlyMap<string, Schema>> {
  const place = await makePlace()
  const { dataDir, databaseUrl } = place.settings
  const { db } = await openLeadDatabase(dataDir, databaseUrl)
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const schemas = new Map<string, Schema>()
  try {
    for (const name of names) {
      const { error } = await migrator.migrateTo(name)
      if (error !== undefined) throw error
      const isPostgres = databaseUrl !== undefined
      schemas.set(name, await schemaOf(db, isPostgres))
    }
  } finally {
    await db.destroy()
    await place.remove()
  }
  return schemas
}

async function schemaOf(db: Kysely<StoreTables>, isPostgres: boolean): Promise<Schema> {
  return {
    columns: await columnsOf(db),
    indexes: await indexesOf(db, isPostgres),
    triggers: await triggersOf(db, isPostgres),
  }
}

async function columnsOf(db: Kysely<StoreTables>): Promise<Schema['columns']> {
  const tables = await db.introspection.getTables()
  return new Map(
    tables.flatMap((table) =>
      table.columns.map((column) => {
        const { isNullable, hasDefaultValue, isAutoIncrementing } = column
        const isWanted = !(isNullable || hasDefaultValue || isAutoIncrementing)
        return [`${table.name}.${column.name}`, isWanted] as const
      }),
    ),
  )
}

/** Excludes the indexes that each database creates by itself for keys. */
async function indexesOf(db: Kysely<StoreTables>, isPostgres: boolean): Promise<readonly string[]> {
  const { rows } = await (isPostgres
    ? sql<{
        name: string
      }>`select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
        where relnamespace = 'public'::regnamespace
          and not exists (select from pg_constraint where conindid = indexrelid)`
    : sql<{ name: string }>`select name from sqlite_master where type = 'index' and sql is not null`
  ).execute(db)
  return rows.map(({ name }) => name).sort()
}

/** Compares each database's trigger text without spaces and quotes. */
async function triggersOf(
  db: Kysely<StoreTables>,
  isPostgres: boolean,
): Promise<readonly string[]> {
  const { rows } = await (isPostgres
    ? sql<{ definition: string }>`
        select pg_get_triggerdef(pg_trigger.oid) || prosrc as definition
        from pg_trigger join pg_proc on pg_proc.oid = tgfoid where not tgisinternal`
    : sql<{
        definition: string
      }>`select sql as definition from sqlite_master where type = 'trigger'`
  ).execute(db)
  return rows.map(({ definition }) => definition.replaceAll(/["\s]+/g, '').toLowerCase()).sort()
}

test('every migration file is in the list of migrations', () => {
  const written = readdirSync(import.meta.dirname)
    .filter((file) => /^\d{4}-.*\.ts$/.test(file) && !file.includes('.test.'))
    .map((file) => file.replace(/\.ts$/, ''))
  expect(names).toEqual(expect.arrayContaining(written))
})

const found = new Map<string, ReadonlyMap<string, Schema>>()
beforeAll(async () => {
  for (const { name, makePlace } of storePlaces) found.set(name, await schemasOf(makePlace))
})

describe.each(storePlaces)('on $name', ({ name: place, makePlace }) => {
  const schemaAfter = (name: string | undefined) => found.get(place)?.get(name ?? '')

  test('a store of release 0.2.0 and a new store end with the same schema', async () => {
    const released = await makePlace()
    const { dataDir, databaseUrl } = released.settings
    await loadRelease('0.2.0', released.settings)
    const { db, migrate } = await openLeadDatabase(dataDir, databaseUrl)
    await migrate()
    const migrated = await schemaOf(db, databaseUrl !== undefined)
    await db.destroy()
    await released.remove()
    expect(schemaAfter(names.at(-1))).toEqual(migrated)
  })

  test.each(names.slice(1).filter((name) => !mayTakeAway(name)))(
    'the previous release still works after %s',
    (name) => {
      const [was, is] = [schemaAfter(names[names.indexOf(name) - 1]), schemaAfter(name)]
      const columns = [...(was?.columns.keys() ?? [])]
      const gone = columns.filter((column) => !is?.columns.has(column))
      expect(gone, 'what it still reads and writes').toEqual([])

      const tables = new Set(columns.map((column) => column.split('.')[0]))
      const wanted = [...(is?.columns ?? [])].filter(
        ([column, isWanted]) =>
          isWanted && was?.columns.get(column) !== true && tables.has(column.split('.')[0]),
      )
      expect(wanted, 'columns without which it can insert nothing').toEqual([])
    },
  )
})

test.each(names)('both databases have the same schema after %s', (name) => {
  const [one, other] = storePlaces.map((place) => found.get(place.name)?.get(name))
  expect([...(one?.columns.keys() ?? [])].sort()).toEqual([...(other?.columns.keys() ?? [])].sort())
  expect(one?.indexes).toEqual(other?.indexes)
})
