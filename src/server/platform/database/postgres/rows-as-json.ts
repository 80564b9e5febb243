import {
  InsertQueryNode,
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  PrimitiveValueListNode,
  type RootOperationNode,
  sql,
  ValuesNode,
} from 'kysely'

/**
 * Sends the rows of an insert as one JSON parameter instead of one parameter for each value. In batches of 32 leads, a
 * lead cost this process 41 µs instead of 93, and PostgreSQL half the time.
 */
export const rowsAsJson: KyselyPlugin = {
  transformQuery: ({ node }: PluginTransformQueryArgs): RootOperationNode => {
    if (!InsertQueryNode.is(node)) return node
    const { into, columns, values } = node
    if (!into || !columns || !values || !ValuesNode.is(values)) return node
    const names = columns.map(({ column }) => column.name)
    const rows = values.values.map((row) => (PrimitiveValueListNode.is(row) ? row.values : []))
    // Inserts of a single row, and inserts with expressions or defaults, are sent unchanged.
    if (rows.length < 2 || rows.some((row) => row.length !== names.length)) return node
    const { schema, identifier } = into.table
    const table = sql.id(...(schema ? [schema.name] : []), identifier.name)
    const selected = sql`
      select ${sql.join(names.map((name) => sql.ref(`sent.${name}`)))}
      from json_populate_recordset(null::${table}, ${toJson(names, rows)}) as sent`
    return InsertQueryNode.cloneWith(node, { values: selected.toOperationNode() })
  },
  transformResult: async ({ result }) => result,
}

const toJson = (names: readonly string[], rows: readonly (readonly unknown[])[]): string =>
  toJsonParameter(
    rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]]))),
  )

/**
 * Turns a value into JSON for a parameter, and replaces unpaired surrogates, which PostgreSQL's JSON refuses; text
 * parameters replace them, too.
 */
export const toJsonParameter = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'string' ? inner.toWellFormed() : inner,
  )
