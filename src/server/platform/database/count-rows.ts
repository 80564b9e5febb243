import type { SelectQueryBuilder } from 'kysely'

/** Counts the rows that match a query. */
export async function countRows<Database, Table extends keyof Database, Row>(
  query: SelectQueryBuilder<Database, Table, Row>,
): Promise<number> {
  const counted = query.clearSelect().select(({ fn }) => fn.countAll().as('n'))
  const row: object = await counted.executeTakeFirstOrThrow()
  return Number(Object.values(row)[0])
}
