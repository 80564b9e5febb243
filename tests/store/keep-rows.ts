import type { StoreSettings } from '#server/store/open-store.ts'
import { askStore, type Row } from './ask-store.ts'
import { runInStore } from './run-in-store.ts'

/**
 * Remembers the rows of every table.
 * @returns a function that restores the rows without triggers, because some tables refuse to delete rows
 */
export async function keepRows(settings: StoreSettings): Promise<() => Promise<void>> {
  const isPostgres = settings.databaseUrl !== undefined
  const ask = (query: string) => askStore(settings, query)
  const tables = namesIn(
    await ask(
      isPostgres
        ? `select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`
        : `select name from sqlite_master where type = 'table' and name not like 'kysely%' and name not like 'sqlite%'`,
    ),
  )
  const rows = await Promise.all(
    tables.map(async (table) => (await ask(`select * from ${table}`)).map(insertInto(table))),
  )
  const renewal = [...tables.map((table) => `delete from ${table}`), ...rows.flat()].join(';\n')
  if (isPostgres) {
    return () => runInStore(settings, `set session_replication_role = replica;\n${renewal}`)
  }
  const triggers = await ask(`select name, sql from sqlite_master where type = 'trigger'`)
  const statements = [
    'pragma foreign_keys = off',
    'begin immediate',
    ...namesIn(triggers).map((name) => `drop trigger ${name}`),
    renewal,
    ...triggers.map(({ sql }) => String(sql)),
    'commit',
  ]
  return () => runInStore(settings, statements.join(';\n'))
}

const namesIn = (rows: readonly Row[]): readonly string[] => rows.map(({ name }) => String(name))

const insertInto = (table: string) => (row: Row) =>
  `insert into ${table} (${Object.keys(row).join(', ')}) values (${Object.values(row).map(literal).join(', ')})`

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : `${value}`
