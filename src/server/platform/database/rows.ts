import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

/** Counts the rows that match a query. */
export async function countRows<Database, Table extends keyof Database, Row>(
  query: SelectQueryBuilder<Database, Table, Row>,
): Promise<number> {
  const counted = query.clearSelect().select(({ fn }) => fn.countAll().as('n'))
  const row: object = await counted.executeTakeFirstOrThrow()
  return Number(Object.values(row)[0])
}

/**
 * The most rows or values in one statement. This process could do nothing else while it builds a longer statement, and
 * SQLite allows 32,766 parameters.
 */
const maxRows = 500

/** Splits rows for several statements. */
export function* sliceRows<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += maxRows) yield rows.slice(from, from + maxRows)
}

/** Updates many rows in one statement. Casts the values, because PostgreSQL reads untyped values as text. */
export async function updateManyRows<Column extends string>(
  db: Kysely<StoreTables>,
  table: keyof StoreTables,
  types: Readonly<Record<Column, 'text' | 'integer' | 'bigint'>>,
  rows: readonly Readonly<Record<NoInfer<Column> | 'id', unknown>>[],
): Promise<void> {
  if (rows.length === 0) return
  const columns = Object.keys(types) as Column[]
  const values = rows.map(
    (row) => sql`(${sql.join([row.id, ...columns.map((column) => row[column])])})`,
  )
  const changes = columns.map(
    (column) =>
      sql`${sql.ref(column)} = cast(changed.${sql.ref(column)} as ${sql.raw(types[column])})`,
  )
  await sql`
    with changed (id, ${sql.join(columns.map((column) => sql.ref(column)))})
      as (values ${sql.join(values)})
    update ${sql.table(table)} set ${sql.join(changes)}
    from changed where ${sql.table(table)}.id = changed.id`.execute(db)
}
