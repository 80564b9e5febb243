import { OwnError } from '#domain/own-error.ts'

/** How long a query of the console may run or wait for its turn, in milliseconds. */
export const queryLimitMs = 5000

/** A query of the console was stopped at {@link queryLimitMs}. Nothing was changed. */
export class QueryTooLongError extends OwnError {
  override readonly name = 'QueryTooLongError'

  constructor() {
    super(`A query of the console was stopped after ${queryLimitMs} ms.`)
  }
}

/** PostgreSQL's query_canceled, which comes of `statement_timeout`. */
const postgresCanceled = '57014'

export const isQueryTooLong = (error: unknown): boolean =>
  error instanceof QueryTooLongError ||
  (error instanceof Error && 'code' in error && error.code === postgresCanceled)
