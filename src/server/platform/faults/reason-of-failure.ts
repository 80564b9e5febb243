import { OwnError } from '#domain/own-error.ts'
import { wordsOfPg } from './sanitize-error.ts'
import { sqliteCode, sqliteCodeName, sqliteConstraint } from './sqlite-code.ts'

/** PostgreSQL's classes for data and constraints. */
const ofTheData = /^2[23]/

/** Our own errors speak of the store, but for this one. */
const ofALead = 'UnreadableLeadError'

/**
 * In one word, without personal data, what failed of a single item; undefined where it may be the store, which fails with
 * any item: a disk that is full, a line that is lost, a database that is away.
 */
export function reasonOfFailure(error: unknown): string | undefined {
  if (!(error instanceof Error)) return 'unknown'
  if (sqliteCode(error) !== undefined) {
    return sqliteCode(error) === sqliteConstraint ? sqliteCodeName(error) : undefined
  }
  if ('code' in error && typeof error.code === 'string') {
    return ofTheData.test(error.code) ? error.code : undefined
  }
  const isOfTheStore =
    wordsOfPg.has(error.message) || (error instanceof OwnError && error.name !== ofALead)
  return isOfTheStore ? undefined : error.name
}
