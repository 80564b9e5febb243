import { createHash } from 'node:crypto'
import type { WatchedPool } from './connections/watched-pool.ts'

/**
 * A statement that each connection has planned once. Its name is of its text, so that another version of this process,
 * behind one pooler with it, never runs this one's words for its own.
 *
 * Where a pooler hands connections on without their statements, as PgBouncer did before 1.21, the server says so before
 * it runs anything: then the text travels whole, from that call on.
 */
export function preparedStatement<Row>(pool: Pick<WatchedPool, 'query'>, text: string) {
  const name = createHash('sha256').update(text).digest('hex').slice(0, 32)
  let isKept = true
  return async (values: readonly unknown[]): Promise<readonly Row[]> => {
    if (isKept) {
      try {
        return await pool.query<Row>({ text, values, name })
      } catch (error) {
        if (!isOfAnotherSession(error)) throw error
        isKept = false
      }
    }
    return pool.query<Row>({ text, values })
  }
}

/** PostgreSQL's invalid_sql_statement_name and duplicate_prepared_statement. */
const isOfAnotherSession = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '26000' || error.code === '42P05')
