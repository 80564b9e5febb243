import { ConnectionLostError } from './connection-lost-error.ts'

/** PostgreSQL’s classes of errors that are about no statement of ours: no connection, no room, stopping, read-only. */
const postgresAway = /^(08|53|57|58)...$|^25006$/
/** Node’s and the resolver’s, where there is no connection. */
const networkAway = /^(ECONN|EHOST|ENET|ENOTFOUND|ETIMEDOUT|EPIPE|EAI_)/
/**
 * The driver’s own words, without a code; the last are Kysely’s (0.29), where the roll-back failed as well: in a migration
 * they come in the place of what was met first.
 */
const driverAway =
  /^(Connection terminated|timeout exce|Client (was closed|has encountered)|Postgres connection has been discarded)/

/** Is it the database that is away, rather than a statement of ours that it will not have? */
export function isPostgresAway(error: Error): boolean {
  if (error instanceof ConnectionLostError || driverAway.test(error.message)) return true
  const code = 'code' in error ? String(error.code) : ''
  return postgresAway.test(code) || networkAway.test(code)
}
